package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/jessevdk/go-flags"

	"marvin/persistence"
	"marvin/providers"
	"marvin/tools"
	"marvin/ui/command"
)

// providerName is one of those that Marvin knows, as a shell completes it.
type providerName string

// Complete offers the providers.
func (providerName) Complete(prefix string) []flags.Completion {
	var names []string
	for _, provider := range providers.Catalog {
		names = append(names, provider.Name)
	}
	return matches(prefix, names)
}

// loginCommand keeps the key of a provider.
type loginCommand struct {
	Forget bool `long:"forget" description:"take the key away that was given before"`
	Args   struct {
		Provider providerName `positional-arg-name:"PROVIDER" required:"yes" description:"whose key it is"`
	} `positional-args:"yes"`
}

// Run asks for a key without echo, tests it, and stores it if it is accepted. From a pipe it reads
// the key as it is.
func (l loginCommand) Run(ctx context.Context, world World, _ options) error {
	home := openHome(world)
	settings, err := home.Config()
	if err != nil {
		return err
	}
	all, err := newAccounts(world, settings)
	if err != nil {
		return err
	}
	provider, err := all.pool.Lookup(string(l.Args.Provider))
	if err != nil {
		return fmt.Errorf("%w%s", err, meant("", nearProviders(string(l.Args.Provider), all.pool.All())))
	}
	switch {
	case provider.Account:
		return l.logIn(ctx, world, all, provider)
	case provider.Wire == providers.SDK:
		return errors.New("Copilot logs in by itself: start copilot and type /login")
	case inRing(provider) != "" && l.Forget:
		return fmt.Errorf("the key of %s is in the system's keyring; secret-tool clear service marvin account %s takes it away", provider.Name, inRing(provider))
	case provider.KeySource != "" && inRing(provider) == "":
		return fmt.Errorf("config.yaml says where the key of %s is: %s", provider.Name, provider.KeySource)
	case provider.KeyVar == "" && provider.KeySource == "":
		return fmt.Errorf("%s wants no key; --provider %[1]s asks it, /provider %[1]s in a conversation", provider.Name)
	case l.Forget:
		if err := home.Logins().Set(provider.Name, persistence.Login{}); err != nil {
			return err
		}
		fmt.Fprintf(world.Stdout, "Marvin keeps no key of %s any more. The one in %s is still used.\n", provider.Name, provider.KeyVar)
		return nil
	}
	key, err := askKey(ctx, world, provider)
	if err != nil {
		return err
	}
	return l.try(ctx, world, all, provider, key)
}

// nearProviders are those that a name may have meant.
func nearProviders(name string, all []providers.Provider) []string {
	known := make([]string, 0, len(all))
	for _, provider := range all {
		known = append(known, provider.Name)
	}
	return command.Suggest(name, known)
}

// inRing is the name under which the system's keyring has the key of a provider, "" if the
// configuration says another place.
func inRing(provider providers.Provider) string {
	name, _ := strings.CutPrefix(provider.KeySource, "keyring:")
	if name == provider.KeySource {
		return ""
	}
	return name
}

// try asks the provider for its models, which requires a valid key.
func (loginCommand) try(ctx context.Context, world World, all *accounts, provider providers.Provider, key string) error {
	listing, stop := context.WithTimeout(ctx, listingTime)
	defer stop()
	wishes := all.wishes(provider.Name, "")
	wishes.Kept = func(string) (string, string) { return "", "" }
	wishes.Key = func(string) (string, error) { return key, nil }
	plain := wishes.Getenv
	wishes.Getenv = func(name string) string {
		if name == provider.KeyVar {
			return key
		}
		return plain(name)
	}
	selection, err := providers.Resolve(wishes)
	if err != nil {
		return err
	}
	names, err := all.offers(listing, provider, selection)
	if err != nil {
		return fmt.Errorf("the key was not taken, and nothing was kept: %w%s", err, keyPage(provider))
	}
	kept := "~/.config/marvin/logins.json, which only you can read"
	if ring := inRing(provider); ring != "" {
		kept = "the system's keyring"
		err = tools.KeepKey(ctx, world.Environ, world.Home, ring, key)
	} else {
		err = openHome(world).Logins().Set(provider.Name, persistence.Login{Key: key, Address: selection.BaseURL})
	}
	if err != nil {
		return fmt.Errorf("%s takes the key, but it is not kept: %w", provider.Name, err)
	}
	models := fmt.Sprintf("%d models", len(names))
	if len(names) == 1 {
		models = "one model"
	}
	fmt.Fprintf(world.Stdout, "%s takes the key and has %s; it is kept in %s.\nTry: marvin --provider %s\n", provider.Name, models, kept, provider.Name)
	return nil
}

// keyPage says where keys are made, where that is known.
func keyPage(provider providers.Provider) string {
	if provider.KeyPage == "" || provider.KeySource != "" {
		return ""
	}
	return " (keys: " + provider.KeyPage + ")"
}

// askKey reads a key that is not shown.
func askKey(ctx context.Context, world World, provider providers.Provider) (string, error) {
	var text []byte
	var err error
	if terminal(world.Stdin) {
		text, err = typedKey(ctx, world, fmt.Sprintf("The key of %s%s, which is not shown:", provider.Name, keyPage(provider)))
	} else {
		text, err = io.ReadAll(io.LimitReader(world.Stdin, 4096))
	}
	if key := strings.TrimSpace(string(text)); err == nil && key != "" {
		return key, nil
	}
	if errors.Is(err, io.EOF) { // they want to give none
		err = nil
	}
	return "", errors.Join(errors.New("no key was given, and nothing was kept; type it, or give it on standard input"), err)
}

// keyboard is a terminal that is read as long as its context lasts.
type keyboard struct {
	ctx  context.Context
	file *os.File
}

// glimpse is how long it is waited for a key before the context is looked at.
const glimpse = 100 * time.Millisecond

func (k keyboard) Read(into []byte) (int, error) {
	for k.ctx.Err() == nil {
		switch ready, err := readable(k.file, glimpse); {
		case err != nil:
			return 0, err
		case ready:
			return k.file.Read(into)
		}
	}
	return 0, context.Cause(k.ctx)
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
	return fmt.Sprintf("The key of %s%s", provider.Name, keyPage(provider)), true
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
