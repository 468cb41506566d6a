package logins

import (
	"errors"
	"time"

	"marvin/persistence/internal/store"
)

// Store are keys that the user typed for providers.
type Store struct{ home *store.Home }

// Of are those of this home.
func Of(h *store.Home) Store { return Store{h} }

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

func (l Store) document() store.Document[logins] {
	return store.Document[logins]{Home: l.home, Path: l.home.Path("logins.json"), Survives: store.Lasting}
}

// All are the keys that a person gave, by provider.
func (l Store) All() (map[string]Login, error) {
	all, err := l.document().Load()
	return all.Providers, err
}

// Set keeps the key of a provider; an empty one takes it away.
func (l Store) Set(provider string, login Login) error {
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

// Servers are what MCP servers gave.
type Servers struct{ Home *store.Home }

// At is what is kept of a server at an address; false if that is nothing.
func (s Servers) At(name, address string) (ServerLogin, bool, error) {
	all, err := Of(s.Home).document().Load()
	login, kept := all.Servers[name]
	return login, kept && login.Address == address, err
}

// Set keeps what a server gave; a login without a token takes it away.
func (s Servers) Set(name string, login ServerLogin) error {
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
type Accounts struct{ Home *store.Home }

// Of returns the login of a provider; the zero value if the user is not logged in.
func (a Accounts) Of(provider string) (Account, error) {
	all, err := Of(a.Home).document().Load()
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
		return nil, store.ErrNoHome
	}
	_, unlock, err = a.Home.LockFile(a.Home.Path("accounts"), store.LockWait)
	return unlock, err
}

func changeLogins(h *store.Home, change func(*logins)) (err error) {
	if h.State == "" {
		return store.ErrNoHome
	}
	document := Of(h).document()
	path, unlock, err := h.LockFile(document.Path, store.LockWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return document.Update(path, func(all *logins) error {
		change(all)
		return nil
	})
}
