package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"marvin/providers"
	"marvin/ui/command"
)

// loginForm takes keys inside a conversation on the full screen.
func loginForm(p *parts) command.LoginForm {
	return command.LoginForm{Asks: func(name string) (string, bool) { return asksKey(p, name) }, Keep: func(ctx context.Context, name string, key string) (string, error) { return keepKey(ctx, p, name, key) }}
}

// asksKey says how the key of a provider is asked for; false where there is no key to type, or
// where another one counts.
func asksKey(p *parts, name string) (title string, ok bool) {
	provider, err := p.accounts.pool.Lookup(name)
	switch {
	case err != nil, provider.Account, provider.Wire == providers.SDK, provider.KeyVar == "" && provider.KeySource == "", provider.KeySource != "" && inRing(provider) == "":
		return "", false
	}
	return fmt.Sprintf("Key for %s%s", provider.Name, keyPage(provider)), true
}

// keepKey tries a key and keeps it.
func keepKey(ctx context.Context, p *parts, name, key string) (said string, err error) {
	provider, err := p.accounts.pool.Lookup(name)
	if err != nil {
		return "", err
	}
	world, kept := p.world, strings.Builder{}
	world.Stdout = &kept
	err = loginCommand{}.try(ctx, world, p.accounts, provider, key)
	p.accounts.logins.Store(nil)                       // they are read again
	said, _, _ = strings.Cut(kept.String(), "\nTry: ") // that is for a shell
	return said, err
}

// LogIn implements [command.Host].
func (h chooser) LogIn(name string) (said string, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	world, kept := h.parts.world, strings.Builder{}
	world.Stderr, world.Stdout = world.Stdout, &kept
	login := loginCommand{}
	login.Args.Provider = providerName(name)
	err = login.Run(ctx, world, h.parts.opts)
	h.parts.accounts.logins.Store(nil)                 // they are read again
	said, _, _ = strings.Cut(kept.String(), "\nTry: ") // that is for a shell
	return said, err
}
