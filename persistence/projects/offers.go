package projects

import (
	"fmt"

	"marvin/persistence/internal/store"
)

// Offers stores the hashes of the project extensions that the user accepted.
type Offers struct{ home *store.Home }

// OffersOf returns the [Offers] stored in h.
func OffersOf(h *store.Home) Offers { return Offers{h} }

// accepted represents the content of mcp.json. The outer key is the real path of a project, and the
// inner key is the name of an accepted extension. The value contains the extension's hash.
type accepted struct {
	Directories map[string]map[string]string `json:"directories"`
}

func (o Offers) document() store.Document[accepted] {
	return store.Document[accepted]{Home: o.home, Path: o.home.Path("mcp.json"), Survives: store.Durable}
}

// Servers returns the hash of each accepted extension of a project, keyed by name.
func (o Offers) Servers(dir string) (map[string]string, error) {
	all, err := o.document().Load()
	if err != nil {
		return nil, fmt.Errorf("read the record of accepted servers: %w", err)
	}
	return all.Directories[RealDir(dir)], nil
}

// Accept stores the hash of an accepted extension.
func (o Offers) Accept(dir, name, hash string) error {
	return o.change(dir, func(all map[string]string) { all[name] = hash })
}

// Refuse revokes the acceptance of a project's extension.
func (o Offers) Refuse(dir, name string) error {
	return o.change(dir, func(all map[string]string) { delete(all, name) })
}

func (o Offers) change(dir string, change func(map[string]string)) error {
	return o.document().Change(func(all *accepted) error {
		if all.Directories == nil {
			all.Directories = map[string]map[string]string{}
		}
		known := copied(all.Directories[RealDir(dir)])
		change(known)
		all.Directories[RealDir(dir)] = known
		return nil
	})
}
