package logins

import (
	"time"

	"marvin/persistence/internal/store"
)

// Store manages the keys that the user typed for providers.
type Store struct{ home *store.Home }

// New returns the store of one user's keys.
func New(h *store.Home) Store { return Store{h} }

// Login is a key that the user entered for a model provider. Marvin sends the key only to the
// stored address.
type Login struct {
	Key     string `json:"key"`
	Address string `json:"address"`
}

// logins is the content of logins.json.
type logins struct {
	Providers map[string]Login       `json:"providers"`
	Servers   map[string]ServerLogin `json:"servers,omitempty"`  // MCP servers by name
	Accounts  map[string]Account     `json:"accounts,omitempty"` // logins keyed by provider
}

// Account is an OAuth 2 login with a model provider.
type Account struct {
	ID           string    `json:"id"` // the provider's id for the account
	AccessToken  string    `json:"access_token"`
	RefreshToken string    `json:"refresh_token,omitempty"`
	Expires      time.Time `json:"expires,omitzero"`
}

// ServerLogin is an OAuth 2 login with an MCP server.
type ServerLogin struct {
	Address      string    `json:"address"` // address of the server; only this address receives the token
	Client       string    `json:"client"`  // Marvin's client id at the server
	ClientSecret string    `json:"client_secret,omitempty"`
	Renewal      string    `json:"renewal"` // the address at which the server issues fresh tokens
	InHeader     bool      `json:"in_header,omitempty"`
	AccessToken  string    `json:"access_token"`
	RefreshToken string    `json:"refresh_token,omitempty"`
	Expires      time.Time `json:"expires,omitzero"`
}

func (l Store) document() store.Document[logins] {
	return store.Document[logins]{Home: l.home, Path: l.home.Path("logins.json"), Survives: store.Lasting}
}

// All returns every stored [Login], keyed by provider.
func (l Store) All() (map[string]Login, error) {
	all, err := l.document().Load()
	return all.Providers, err
}

// Set stores a provider's key. An empty key removes the entry.
func (l Store) Set(provider string, login Login) error {
	return l.document().Change(func(all *logins) error { return put(&all.Providers, provider, login, login.Key != "") })
}

// Servers manages the logins of MCP servers.
type Servers struct{ Home *store.Home }

// Get returns the login for a server. The second result reports whether the login is for the given
// address.
func (s Servers) Get(name, address string) (ServerLogin, bool, error) {
	all, err := New(s.Home).document().Load()
	login, kept := all.Servers[name]
	return login, kept && login.Address == address, err
}

// Set stores the login for a server. A login without a token removes the entry.
func (s Servers) Set(name string, login ServerLogin) error {
	return New(s.Home).document().Change(func(all *logins) error { return put(&all.Servers, name, login, login.AccessToken != "") })
}

// Accounts manages the logins of providers.
type Accounts struct{ Home *store.Home }

// Get returns the login for a provider, or the zero value if there is none.
func (a Accounts) Get(provider string) (Account, error) {
	all, err := New(a.Home).document().Load()
	return all.Accounts[provider], err
}

// Set stores the login for a provider. An account without a token removes the entry.
func (a Accounts) Set(provider string, account Account) error {
	return New(a.Home).document().Change(func(all *logins) error { return put(&all.Accounts, provider, account, account.AccessToken != "") })
}

// Lock prevents two Marvin processes from refreshing tokens at the same time. Some providers accept
// a refresh token only once.
func (a Accounts) Lock() (unlock func() error, err error) {
	_, unlock, err = a.Home.LockFile(a.Home.Path("accounts"), store.LockWait)
	return unlock, err
}

// put adds an entry to a map, or removes the entry if valid is false. The error is always nil.
func put[T any](all *map[string]T, name string, one T, valid bool) error {
	if *all == nil {
		*all = map[string]T{}
	}
	if (*all)[name] = one; !valid {
		delete(*all, name)
	}
	return nil
}
