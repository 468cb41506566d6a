package projects

import (
	"fmt"

	"marvin/persistence/internal/store"
)

// Choice holds the settings that the user chose in a project. Marvin uses these settings again when
// it next starts in the project. An empty string means no choice.
type Choice struct {
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	Effort   string `json:"effort,omitempty"` // one of providers.Efforts, or "auto"
	Files    string `json:"files,omitempty"`  // "on" or "off": tools for files and commands
	Seen     string `json:"seen"`             // the date of the last change
}

type choices struct {
	Directories map[string]Choice `json:"directories"` // by real path
}

// Choices stores the user's choices per project.
type Choices struct{ *store.Home }

func (c Choices) document() store.Document[choices] {
	return store.Document[choices]{Home: c.Home, Path: c.Path("choices.json"), Survives: store.Durable}
}

// Get returns the choices for a directory, or the zero value if there are none.
func (c Choices) Get(dir string) (Choice, error) {
	known, err := c.document().Load()
	if err != nil {
		return Choice{}, fmt.Errorf("read the model chosen in this project: %w", err)
	}
	return known.Directories[RealDir(dir)], nil
}

// Change updates the choices for a directory. If all choices are empty, the entry is removed.
func (c Choices) Change(dir string, change func(*Choice)) error {
	return c.document().Change(func(all *choices) error {
		old := all.Directories[RealDir(dir)]
		choice := old
		change(&choice)
		if choice == old {
			return store.ErrUnchanged
		}
		if all.Directories == nil {
			all.Directories = map[string]Choice{}
		}
		if choice.Seen = c.Now().Format("2006-01-02"); choice.Provider+choice.Model+choice.Effort+choice.Files == "" {
			delete(all.Directories, RealDir(dir))
			return nil
		}
		all.Directories[RealDir(dir)] = choice
		forget(all.Directories, func(one Choice) string { return one.Seen })
		return nil
	})
}
