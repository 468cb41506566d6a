package acp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/models"
	"marvin/providers"
)

// logInSomewhere asks a user at a terminal to choose a provider, and then logs in to that provider.
// An editor starts this login if no model is available.
func logInSomewhere(ctx context.Context, world cli.World) error {
	if world.Stdin == nil || !cli.Terminal(world.Stdin) {
		return errors.New("\"marvin acp --login\" needs a terminal; to give a key through a pipe, run marvin login PROVIDER")
	}
	fmt.Fprintln(world.Stdout, "Marvin can use models from these providers:")
	for _, provider := range providers.Catalog {
		if provider.KeyVar != "" || provider.Account {
			fmt.Fprintf(world.Stdout, "  %-14s %s\n", provider.Name, strings.TrimSpace(provider.Emoji+" "+provider.KeyPage))
		}
	}
	fmt.Fprint(world.Stdout, "Which one? ")
	line, err := bufio.NewReaderSize(world.Stdin, 16).ReadString('\n')
	name := strings.TrimSpace(line)
	if err != nil || name == "" {
		return errors.New("no provider was named, so nothing was stored")
	}
	var login models.LoginCommand
	login.Args.Provider = models.ProviderName(name)
	return login.Run(ctx, world, cli.Options{})
}
