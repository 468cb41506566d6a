package host

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli/models"
	"marvin/providers"
	"marvin/ui/command"
)

// loginForm returns the login form for providers' keys.
func loginForm(p *app.App) command.LoginForm {
	return command.LoginForm{FormTitle: func(name string) (string, bool) { return keyFormTitle(p, name) }, Keep: func(ctx context.Context, name string, key string) (string, error) { return keepKey(ctx, p, name, key) }}
}

// keyFormTitle returns the title of the form for a provider's key. ok is false if the provider
// needs no key, or gets its key from another source.
func keyFormTitle(p *app.App, name string) (title string, ok bool) {
	provider, err := p.Accounts.Pool.Lookup(name)
	switch {
	case err != nil, provider.Account, provider.Wire == providers.SDK, provider.KeyVar == "" && provider.KeySource == "", provider.KeySource != "" && accounts.KeyringName(provider) == "":
		return "", false
	}
	return fmt.Sprintf("Key for %s%s", provider.Name, models.KeyPage(provider)), true
}

// keepKey tests a key and stores it.
func keepKey(ctx context.Context, p *app.App, name, key string) (said string, err error) {
	provider, err := p.Accounts.Pool.Lookup(name)
	if err != nil {
		return "", err
	}
	world, kept := p.World, strings.Builder{}
	world.Stdout = &kept
	err = models.LoginCommand{}.Try(ctx, world, p.Accounts, provider, key)
	p.Accounts.Logins.Store(nil)                       // the next lookup reads the logins again
	said, _, _ = strings.Cut(kept.String(), "\nTry: ") // omit the suggestion of a shell command
	return said, err
}

// LogIn implements [command.Host].
func (h chooser) LogIn(name string) (said string, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	world, kept := h.parts.World, strings.Builder{}
	world.Stderr, world.Stdout = world.Stdout, &kept
	login := models.LoginCommand{}
	login.Args.Provider = models.ProviderName(name)
	err = login.Run(ctx, world, h.parts.Opts)
	h.parts.Accounts.Logins.Store(nil)                 // the next lookup reads the logins again
	said, _, _ = strings.Cut(kept.String(), "\nTry: ") // omit the suggestion of a shell command
	return said, err
}
