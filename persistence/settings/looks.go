package settings

// Looks contains the settings for the screen.
type Looks struct {
	// Theme is the name of a color theme; "" means one that suits the terminal.
	Theme string
	// Colours is one of [Colours]; "" means auto.
	Colours string
	// Symbols is one of [Symbols]; "" means the best set that the terminal can draw.
	Symbols string
	// Images is one of [Images]; "" means auto.
	Images string
	// Status contains the parts of the status line, from [StatusParts]; nil means the default
	// parts.
	Status []string
}

// Typing holds the settings for key bindings.
type Typing struct {
	// Keys maps actions of the full-screen interface to their keys. An empty list removes the keys.
	Keys map[string][]string
	// Editing is one of [Editing]; "" means emacs.
	Editing string
}

type looksFile struct {
	Theme   theme      `yaml:"theme"`
	Colours colours    `yaml:"colours"`
	Symbols symbols    `yaml:"symbols"`
	Images  images     `yaml:"images"`
	Status  statusList `yaml:"status"`
}

type typingFile struct {
	Keys    map[string]keyList `yaml:"keys"`
	Editing editing            `yaml:"editing"`
}
