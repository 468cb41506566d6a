package settings

// Looks is what a person sees.
type Looks struct {
	// Theme is the name of a set of colours; "" is what suits the terminal.
	Theme string
	// Colours is one of [Colours], "" for auto.
	Colours string
	// Symbols is one of [Symbols], "" for whatever the terminal can draw.
	Symbols string
	// Images is one of [Images], "" for auto.
	Images string
	// Status are the parts of the status line, some of [StatusParts]; nil for the usual ones.
	Status []string
}

// Typing is how a person writes their prompts.
type Typing struct {
	// Keys maps an action of the full screen to the keys that do it; none takes them away.
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
