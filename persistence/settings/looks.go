package settings

// Looks is the group of settings for the screen.
type Looks struct {
	// Theme is the name of a color theme; "" is one that suits the terminal.
	Theme string
	// Colours is an entry of the list [Colours]; "" means auto.
	Colours string
	// Symbols is an entry of the list [Symbols]; "" means the best set that the terminal can draw.
	Symbols string
	// Images is an entry of the list [Images]; "" means auto.
	Images string
	// Status lists the parts of the status line, from [StatusParts]; nil means the default parts.
	Status []string
}

// Typing holds the settings of the input line.
type Typing struct {
	// Keys contains the keys of each action of the full screen; an empty list removes an action's
	// keys.
	Keys map[string][]string
	// Editing is an entry of the list [Editing]; "" means emacs.
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
