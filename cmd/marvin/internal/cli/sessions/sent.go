package sessions

import (
	"context"
	"fmt"

	"marvin/actors"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/tools"
	"marvin/ui/termsafe"
)

// sentCommand lists the data that a conversation has sent to other machines.
type sentCommand struct{ oneCommand }

func (s sentCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return WithArchive(world, opts, func(all Archive) error { return all.sent(string(s.Args.ID)) })
}

func (a Archive) sent(id string) error {
	info, err := a.findNamed(id)
	if err != nil {
		return err
	}
	turns, err := actors.ReadSent(a.Home, info, extensions.NewRegistry(a.Home, tools.NewHTTPClient(nil), a.World.Now))
	if err != nil {
		return err
	}
	if a.json {
		return a.write(append([]actors.SentTurn{}, turns...))
	}
	_, err = fmt.Fprintln(a.World.Stdout, termsafe.String(actors.SentTable(turns)))
	return err
}
