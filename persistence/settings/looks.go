package settings

// Looks holds the settings of the screen.
type Looks struct {
	// Theme is the name of a color theme; "" is one that suits the terminal.
	Theme string
	// Colours is one of [Colours], "" for auto.
	Colours string
	// Symbols is one of [Symbols]; "" is the best set that the terminal can draw.
	Symbols string
	// Images is one of [Images], "" for auto.
	Images string
	// Status lists the parts of the status line, from [StatusParts]; nil is the default.
	Status []string
}

// Typing holds the settings of the input line.
type Typing struct {
	// Keys maps an action of the full screen to its keys; an empty list removes its keys.
	Keys map[string][]string
	// Editing is one of [Editing], "" for emacs.
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
