package logins

import (
	"errors"
	"time"

	"marvin/persistence/internal/store"
)

// Store manages the keys that the user typed for providers.
type Store struct{ home *store.Home }

// Of returns the store of a home.
func Of(h *store.Home) Store { return Store{h} }

// Login is a key that the user entered for a provider of models, and the address for which it is
// valid.
type Login struct {
	Key     string `json:"key"`
	Address string `json:"address"`
}

// logins is logins.json.
type logins struct {
	Providers map[string]Login       `json:"providers"`
	Servers   map[string]ServerLogin `json:"servers,omitempty"`  // MCP servers by name
	Accounts  map[string]Account     `json:"accounts,omitempty"` // logged-in providers by name
}

// Account holds the tokens of a provider after the user logged in (OAuth 2).
type Account struct {
	ID           string    `json:"id"` // the provider's id of the account
	AccessToken  string    `json:"access_token"`
	RefreshToken string    `json:"refresh_token,omitempty"`
	Expires      time.Time `json:"expires,omitzero"`
}

// ServerLogin holds the tokens of an MCP server after the user logged in (OAuth 2).
type ServerLogin struct {
	Address      string    `json:"address"` // of the server; no other address receives the token
	Client       string    `json:"client"`  // Marvin's client id there
	ClientSecret string    `json:"client_secret,omitempty"`
	Renewal      string    `json:"renewal"` // the address for fresh tokens
	InHeader     bool      `json:"in_header,omitempty"`
	AccessToken  string    `json:"access_token"`
	RefreshToken string    `json:"refresh_token,omitempty"`
	Expires      time.Time `json:"expires,omitzero"`
}

func (l Store) document() store.Document[logins] {
	return store.Document[logins]{Home: l.home, Path: l.home.Path("logins.json"), Survives: store.Lasting}
}

// All returns the entered keys by provider.
func (l Store) All() (map[string]Login, error) {
	all, err := l.document().Load()
	return all.Providers, err
}

// Set stores the key of a provider; an empty key removes it.
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

// Servers manages the logins of MCP servers.
type Servers struct{ Home *store.Home }

// At returns the login of a server at an address, and false if there is none.
func (s Servers) At(name, address string) (ServerLogin, bool, error) {
	all, err := Of(s.Home).document().Load()
	login, kept := all.Servers[name]
	return login, kept && login.Address == address, err
}

// Set stores the login of a server; a login without a token removes it.
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

// Accounts manages the logins of providers.
type Accounts struct{ Home *store.Home }

// Of returns the login of a provider, or the zero value if the user is not logged in.
func (a Accounts) Of(provider string) (Account, error) {
	all, err := Of(a.Home).document().Load()
	return all.Accounts[provider], err
}

// Set stores the login of a provider; a login without a token removes it.
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

// Lock prevents other Marvins from refreshing the tokens at the same time, because some providers
// accept an old refresh token only once.
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
