package persistence

import "errors"

// Login is the key of a provider of models that a person gave Marvin, and the address that
// it is for.
type Login struct {
	Key     string `json:"key"`
	Address string `json:"address"`
}

// logins is logins.json.
type logins struct {
	Providers map[string]Login `json:"providers"`
}

func (h *Home) logins() document[logins] {
	return document[logins]{home: h, path: h.path("logins.json"), survives: lasting}
}

// Logins are the keys that a person gave, by provider.
func (h *Home) Logins() (map[string]Login, error) {
	all, err := h.logins().load()
	return all.Providers, err
}

// SetLogin keeps the key of a provider; an empty one takes it away.
func (h *Home) SetLogin(provider string, login Login) (err error) {
	document := h.logins()
	path, unlock, err := h.lockFile(document.path, lockWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return document.update(path, func(all *logins) error {
		if all.Providers == nil {
			all.Providers = map[string]Login{}
		}
		if login.Key == "" {
			delete(all.Providers, provider)
		} else {
			all.Providers[provider] = login
		}
		return nil
	})
}
