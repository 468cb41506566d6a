package accounts

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/logins"
	"marvin/providers/chatgpt"
)

// ChatGPT subscriptions: storing a login and using it in requests.

// plan creates an account that loads and saves the provider's stored tokens.
func (a *Accounts) plan(provider string) *chatgpt.Account {
	kept := logins.Accounts{Home: cli.OpenHome(a.World)}
	return chatgpt.NewAccount(chatgpt.Store{
		Load: func() (chatgpt.Tokens, error) {
			found, err := kept.Get(provider)
			return chatgpt.Tokens{Account: found.ID, Access: found.AccessToken, Refresh: found.RefreshToken, Expires: found.Expires}, err
		},
		Save: func(fresh chatgpt.Tokens) error { return kept.Set(provider, StoredAccount(fresh)) },
		Lock: kept.Lock,
	}, a.Checked, a.World.Now)
}

// StoredAccount converts the tokens of a login to their stored form.
func StoredAccount(tokens chatgpt.Tokens) logins.Account {
	return logins.Account{ID: tokens.Account, AccessToken: tokens.Access, RefreshToken: tokens.Refresh, Expires: tokens.Expires}
}

// loggedIn reports whether there is a login. An expired login counts, because it is renewed on use.
func (a *Accounts) loggedIn(provider string) bool {
	account, err := logins.Accounts{Home: cli.OpenHome(a.World)}.Get(provider)
	return err == nil && account.AccessToken != ""
}

// Admit returns a function for the Admit field of [marvin/providers/responses.Config]. The function
// returns the token and the headers of the user's login.
func (a *Accounts) Admit(provider string) func(context.Context, string) (string, http.Header, error) {
	account := a.Chatgpt()
	return func(ctx context.Context, refused string) (string, http.Header, error) {
		token, id, err := account.Bearer(ctx, refused)
		if err != nil {
			return "", nil, fmt.Errorf("ask %s: %w", provider, err)
		}
		return token, chatgpt.Header(token, id), nil
	}
}

// ReplaceServer replaces the host of an address with the server that the user configured for that
// host, if any.
func (a *Accounts) ReplaceServer(address string) string {
	table, err := cli.Hosts(a.settings.Hosts, a.World.Getenv("MARVIN_HOSTS"))
	at, problem := url.Parse(address)
	if err != nil || problem != nil || table[at.Host] == "" {
		return address
	}
	return strings.TrimRight(table[at.Host], "/") + at.Path
}
