package persistence

import (
	"errors"
	"time"
)

// Logins are keys that the user typed for providers.
type Logins struct{ home *Home }

// Logins are those of this home.
func (h *Home) Logins() Logins { return Logins{h} }

// Login is the key of a provider of models that a person gave Marvin, and the address that
// it is for.
type Login struct {
	Key     string `json:"key"`
	Address string `json:"address"`
}

// logins is logins.json.
type logins struct {
	Providers map[string]Login       `json:"providers"`
	Servers   map[string]ServerLogin `json:"servers,omitempty"`  // of MCP, by name
	Accounts  map[string]Account     `json:"accounts,omitempty"` // of providers that are logged in to, by name
}

// Account is what a provider of models gave Marvin for a person who logged in (OAuth 2).
type Account struct {
	ID           string    `json:"id"` // as the provider names whose it is
	AccessToken  string    `json:"access_token"`
	RefreshToken string    `json:"refresh_token,omitempty"`
	Expires      time.Time `json:"expires,omitzero"`
}

// ServerLogin is what an MCP server gave Marvin for a person who logged in (OAuth 2).
type ServerLogin struct {
	Address      string    `json:"address"` // of the server; another one does not get it
	Client       string    `json:"client"`  // who Marvin is there
	ClientSecret string    `json:"client_secret,omitempty"`
	Renewal      string    `json:"renewal"` // where a fresh token comes from
	InHeader     bool      `json:"in_header,omitempty"`
	AccessToken  string    `json:"access_token"`
	RefreshToken string    `json:"refresh_token,omitempty"`
	Expires      time.Time `json:"expires,omitzero"`
}

func (l Logins) document() document[logins] {
	return document[logins]{home: l.home, path: l.home.path("logins.json"), survives: lasting}
}

// All are the keys that a person gave, by provider.
func (l Logins) All() (map[string]Login, error) {
	all, err := l.document().load()
	return all.Providers, err
}

// Set keeps the key of a provider; an empty one takes it away.
func (l Logins) Set(provider string, login Login) error {
	return changeLogins(l.home, func(all *logins) {
		if all.Providers == nil {
			all.Providers = map[string]Login{}
		}
		if login.Key == "" {
			delete(all.Providers, provider)
		} else {
			all.Providers[provider] = login
		}
	})
}

// ServerLogins are what MCP servers gave.
type ServerLogins struct{ Home *Home }

// At is what is kept of a server at an address; false if that is nothing.
func (s ServerLogins) At(name, address string) (ServerLogin, bool, error) {
	all, err := s.Home.Logins().document().load()
	login, kept := all.Servers[name]
	return login, kept && login.Address == address, err
}

// Set keeps what a server gave; a login without a token takes it away.
func (s ServerLogins) Set(name string, login ServerLogin) error {
	return changeLogins(s.Home, func(all *logins) {
		if all.Servers == nil {
			all.Servers = map[string]ServerLogin{}
		}
		if login.AccessToken == "" {
			delete(all.Servers, name)
		} else {
			all.Servers[name] = login
		}
	})
}

// Accounts are what providers gave.
type Accounts struct{ Home *Home }

// Of returns the login of a provider; the zero value if the user is not logged in.
func (a Accounts) Of(provider string) (Account, error) {
	all, err := a.Home.Logins().document().load()
	return all.Accounts[provider], err
}

// Set keeps what a provider gave; one without a token takes it away.
func (a Accounts) Set(provider string, account Account) error {
	return changeLogins(a.Home, func(all *logins) {
		if all.Accounts == nil {
			all.Accounts = map[string]Account{}
		}
		if account.AccessToken == "" {
			delete(all.Accounts, provider)
		} else {
			all.Accounts[provider] = account
		}
	})
}

// Lock makes the caller the only Marvin that asks a provider for the next tokens: some
// take an old one only once.
func (a Accounts) Lock() (unlock func() error, err error) {
	if a.Home.State == "" {
		return nil, ErrNoHome
	}
	_, unlock, err = a.Home.lockFile(a.Home.path("accounts"), lockWait)
	return unlock, err
}

func changeLogins(h *Home, change func(*logins)) (err error) {
	if h.State == "" {
		return ErrNoHome
	}
	document := h.Logins().document()
	path, unlock, err := h.lockFile(document.path, lockWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return document.update(path, func(all *logins) error {
		change(all)
		return nil
	})
}
