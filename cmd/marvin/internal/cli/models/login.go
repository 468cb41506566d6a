package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/cli"
	"marvin/messages/lists"
	"marvin/persistence/logins"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/providers/chatgpt"
	"marvin/tools"
	"marvin/ui/slash"
)

// ProviderName is an argument that names a provider.
type ProviderName string

// Complete proposes the known providers for shell completion.
func (ProviderName) Complete(prefix string) []flags.Completion {
	names := lists.Map(providers.Catalog, func(provider providers.Provider) string { return provider.Name })
	return cli.PrefixMatches(prefix, names)
}

// LoginCommand stores a provider's key, or the login of a ChatGPT account.
type LoginCommand struct {
	Forget bool `long:"forget" description:"remove the stored key"`
	Args   struct {
		Provider ProviderName `positional-arg-name:"PROVIDER" required:"yes" description:"the provider"`
	} `positional-args:"yes"`
}

// Run reads a provider's key from the terminal or a pipe, and stores the key if it is accepted. A
// terminal shows only the key's length.
func (l LoginCommand) Run(ctx context.Context, world cli.World, _ cli.Options) error {
	home := cli.OpenHome(world)
	settings, err := settings.Read(home)
	if err != nil {
		return err
	}
	all, err := accounts.New(world, settings)
	if err != nil {
		return err
	}
	provider, err := all.Pool.Lookup(string(l.Args.Provider))
	if err != nil {
		return fmt.Errorf("%w%s", err, cli.DidYouMean("", nearProviders(string(l.Args.Provider), all.Pool.All())))
	}
	switch {
	case provider.Account:
		return l.logIn(ctx, world, all, provider)
	case provider.Wire == providers.SDK:
		return errors.New("the Copilot CLI has its own login; start copilot and type /login")
	case accounts.KeyringName(provider) != "" && l.Forget:
		return fmt.Errorf("the key for %s is in the system's keyring; to remove it, run secret-tool clear service marvin account %s", provider.Name, accounts.KeyringName(provider))
	case provider.KeySource != "" && accounts.KeyringName(provider) == "":
		return fmt.Errorf("Marvin cannot remove the key for %s, because config.yaml takes it from %s; change that entry", provider.Name, provider.KeySource)
	case provider.KeyVar == "" && provider.KeySource == "":
		return fmt.Errorf("%s needs no key; use --provider %[1]s, or /provider %[1]s in a conversation", provider.Name)
	case l.Forget:
		if err := logins.New(home).Set(provider.Name, logins.Login{}); err != nil {
			return err
		}
		fmt.Fprintf(world.Stdout, "Marvin no longer stores a key for %s. The key in %s is still used.\n", provider.Name, provider.KeyVar)
		return nil
	}
	key, err := askKey(ctx, world, provider)
	if err != nil {
		return err
	}
	return l.Try(ctx, world, all, provider, key)
}

func nearProviders(name string, all []providers.Provider) []string {
	known := lists.Map(all, func(provider providers.Provider) string { return provider.Name })
	return slash.Suggest(name, known)
}

// Try tests a key by listing the provider's models, and stores a valid key.
func (LoginCommand) Try(ctx context.Context, world cli.World, all *accounts.Accounts, provider providers.Provider, key string) error {
	listing, stop := context.WithTimeout(ctx, accounts.ListingTime)
	defer stop()
	wishes := all.Wishes(provider.Name, "")
	wishes.StoredKey = func(string) (string, string) { return "", "" }
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
	names, err := all.Offers(listing, provider, selection)
	if err != nil {
		if errors.Is(err, providers.ErrUnreachable) {
			return fmt.Errorf("the key could not be tried, so it was not stored: %w", err)
		}
		return fmt.Errorf("the key was not accepted, so it was not stored: %w%s", err, KeyPage(provider))
	}
	kept := "~/.config/marvin/logins.json, which only you can read"
	if ring := accounts.KeyringName(provider); ring != "" {
		kept = "the system's keyring"
		err = tools.KeepKey(ctx, world.Environ, world.Home, ring, key)
	} else {
		err = logins.New(cli.OpenHome(world)).Set(provider.Name, logins.Login{Key: key, Address: selection.BaseURL})
	}
	if err != nil {
		return fmt.Errorf("%s accepts the key, but Marvin could not store it: %w", provider.Name, err)
	}
	models := fmt.Sprintf("%d models", len(names))
	if len(names) == 1 {
		models = "one model"
	}
	fmt.Fprintf(world.Stdout, "%s accepts the key and has %s. The key is stored in %s.\nTry: marvin --provider %s\n", provider.Name, models, kept, provider.Name)
	return nil
}

// KeyPage returns a hint such as " (create one at PAGE)". It returns "" if no page is known, or if
// config.yaml says where the key comes from.
func KeyPage(provider providers.Provider) string {
	if provider.KeyPage == "" || provider.KeySource != "" {
		return ""
	}
	return " (create one at " + provider.KeyPage + ")"
}

// askKey reads a key without showing it.
func askKey(ctx context.Context, world cli.World, provider providers.Provider) (string, error) {
	var text []byte
	var err error
	if cli.Terminal(world.Stdin) {
		text, err = readKey(ctx, world, fmt.Sprintf("Key for %s%s; your typing is not shown:", provider.Name, KeyPage(provider)))
	} else {
		text, err = io.ReadAll(io.LimitReader(world.Stdin, 4096))
	}
	if key := strings.TrimSpace(string(text)); err == nil && key != "" {
		return key, nil
	}
	if errors.Is(err, io.EOF) { // the user cancels
		err = nil
	}
	return "", errors.Join(errors.New("no key was given; type it, or give it on standard input"), err)
}

// logIn lets the user log in to ChatGPT, and stores the tokens.
func (l LoginCommand) logIn(ctx context.Context, world cli.World, all *accounts.Accounts, provider providers.Provider) error {
	known := logins.Accounts{Home: cli.OpenHome(world)}
	if l.Forget {
		if err := known.Set(provider.Name, logins.Account{}); err != nil {
			return err
		}
		fmt.Fprintf(world.Stdout, "Marvin no longer stores a login for %s.\n", provider.Name)
		return nil
	}
	ctx, stop := context.WithTimeoutCause(ctx, accounts.LoginTimeout, fmt.Errorf("you did not log in within %s; to print the address again, run marvin login %s", accounts.LoginTimeout, provider.Name))
	defer stop()
	visit, err := accounts.ListenForLogin(ctx, chatgpt.CallbackPath, chatgpt.CallbackPorts...)
	if err != nil {
		return fmt.Errorf("%w; perhaps Marvin or Codex is already waiting for a login", err)
	}
	defer visit.Close()
	login := chatgpt.NewLogin(visit.Port, all.Checked())
	back, err := visit.Browse(ctx, world.Stderr, login.Address())
	if err != nil {
		return err
	}
	tokens, err := login.Finish(ctx, back)
	if err != nil {
		return fmt.Errorf("the login at %s: %w", provider.Name, err)
	}
	if err := known.Set(provider.Name, accounts.StoredAccount(tokens)); err != nil {
		return err
	}
	asking, end := context.WithTimeout(ctx, accounts.ListingTime)
	defer end()
	what := ""
	client := accounts.ModelClient()
	defer client.CloseIdleConnections()
	if names, err := all.Chatgpt().Models(asking, all.ReplaceServer(provider.BaseURL), client); err == nil && len(names) > 0 {
		what = fmt.Sprintf(" Your plan has %s.", strings.Join(names, ", "))
	}
	fmt.Fprintf(world.Stdout, "You are logged in.%s The login is stored in ~/.config/marvin/logins.json, which only you can read.\nTry: marvin --provider %s\n", what, provider.Name)
	return nil
}
