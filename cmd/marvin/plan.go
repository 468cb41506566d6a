package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"marvin/persistence"
	"marvin/providers"
	"marvin/providers/chatgpt"
)

// The plan that a person has with ChatGPT: the login, what is kept of it, and how it is asked.

// plan is the login at a provider that wants one, as it is used.
func (a *accounts) plan(provider string) *chatgpt.Account {
	kept := persistence.Accounts{Home: openHome(a.world)}
	return chatgpt.NewAccount(chatgpt.Store{
		Load: func() (chatgpt.Tokens, error) {
			found, err := kept.Of(provider)
			return chatgpt.Tokens{Account: found.ID, Access: found.AccessToken, Refresh: found.RefreshToken, Expires: found.Expires}, err
		},
		Save: func(fresh chatgpt.Tokens) error { return kept.Set(provider, asKept(fresh)) },
		Lock: kept.Lock,
	}, a.checked, a.world.Now)
}

// asKept is what a login gave, as it is kept.
func asKept(tokens chatgpt.Tokens) persistence.Account {
	return persistence.Account{ID: tokens.Account, AccessToken: tokens.Access, RefreshToken: tokens.Refresh, Expires: tokens.Expires}
}

// loggedIn says whether there is a login; one that has ended is renewed when it is used.
func (a *accounts) loggedIn(provider string) bool {
	account, err := persistence.Accounts{Home: openHome(a.world)}.Of(provider)
	return err == nil && account.AccessToken != ""
}

// admit asks with the login, see [responses.Config].
func (a *accounts) admit(provider string) func(context.Context, string) (string, http.Header, error) {
	account := a.chatgpt()
	return func(ctx context.Context, refused string) (string, http.Header, error) {
		token, id, err := account.Bearer(ctx, refused)
		if err != nil {
			return "", nil, fmt.Errorf("ask %s: %w", provider, err)
		}
		return token, chatgpt.Header(token, id), nil
	}
}

// instead replaces a public server in an address by the user's.
func (a *accounts) instead(address string) string {
	table, err := hosts(a.settings.Hosts, a.world.Getenv("MARVIN_HOSTS"))
	at, problem := url.Parse(address)
	if err != nil || problem != nil || table[at.Host] == "" {
		return address
	}
	return strings.TrimRight(table[at.Host], "/") + at.Path
}

// logIn has the person log in at ChatGPT, and keeps what that gives.
func (l loginCommand) logIn(ctx context.Context, world World, all *accounts, provider providers.Provider) error {
	logins := persistence.Accounts{Home: openHome(world)}
	if l.Forget {
		if err := logins.Set(provider.Name, persistence.Account{}); err != nil {
			return err
		}
		fmt.Fprintf(world.Stdout, "Marvin keeps no login of %s any more.\n", provider.Name)
		return nil
	}
	ctx, stop := context.WithTimeoutCause(ctx, patienceLogin, fmt.Errorf("there was no login within %s; marvin login %s prints the address again", patienceLogin, provider.Name))
	defer stop()
	visit, err := expect(ctx, chatgpt.CallbackPath, chatgpt.CallbackPorts...)
	if err != nil {
		return fmt.Errorf("%w; another login, of Marvin or of Codex, may be under way", err)
	}
	defer visit.close()
	login := chatgpt.NewLogin(visit.port, all.checked())
	back, err := visit.browse(ctx, world.Stderr, login.Address())
	if err != nil {
		return err
	}
	tokens, err := login.Finish(ctx, back)
	if err != nil {
		return fmt.Errorf("the login at %s: %w", provider.Name, err)
	}
	if err := logins.Set(provider.Name, asKept(tokens)); err != nil {
		return err
	}
	asking, end := context.WithTimeout(ctx, listingTime)
	defer end()
	what := ""
	client := modelClient()
	defer client.CloseIdleConnections()
	if names, err := all.chatgpt().Models(asking, all.instead(provider.BaseURL), client); err == nil && len(names) > 0 {
		what = fmt.Sprintf(" Your plan has %s.", strings.Join(names, ", "))
	}
	fmt.Fprintf(world.Stdout, "You are logged in.%s The login is kept in ~/.config/marvin/logins.json, which only you can read.\nTry: marvin --provider %s\n", what, provider.Name)
	return nil
}
