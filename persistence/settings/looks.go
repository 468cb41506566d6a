package settings

// Looks contains the settings for the screen.
type Looks struct {
	// Theme is the name of a color theme; "" means a theme that suits the terminal.
	Theme string
	// Colours is the value of the setting "colours"; "" means "auto".
	Colours string
	// Symbols is the value of the setting "symbols"; "" means the best set that the terminal can
	// draw.
	Symbols string
	// Images is the value of the setting "images"; "" means "auto".
	Images string
	// Status lists the parts of the status line; nil means the default. [StatusParts] lists the
	// valid parts.
	Status []string
}

// Typing holds the settings for key bindings.
type Typing struct {
	// Keys maps actions to their keys. An action with an empty list has no keys.
	Keys map[string][]string
	// Editing is the value of the setting "editing"; "" means "emacs".
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
