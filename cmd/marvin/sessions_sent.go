package main

import (
	"context"
	"fmt"

	"marvin/actors"
	"marvin/tools"
	"marvin/ui/termsafe"
)

// sentCommand says what left the machine in a conversation that is kept.
type sentCommand struct {
	Args struct {
		ID keptName `positional-arg-name:"ID" required:"yes" description:"or the name, as marvin sessions list has it"`
	} `positional-args:"yes"`
}

func (s sentCommand) Run(_ context.Context, world World, opts options) error {
	return inArchive(world, opts, func(all archive) error { return all.sent(string(s.Args.ID)) })
}

func (a archive) sent(id string) error {
	info, err := a.named(id)
	if err != nil {
		return err
	}
	turns, err := actors.Sent(a.home, info, newRegistry(a.home, tools.NewHTTPClient(nil), a.world.Now))
	if err != nil {
		return err
	}
	if a.json {
		return a.write(append([]actors.SentTurn{}, turns...))
	}
	_, err = fmt.Fprintln(a.world.Stdout, termsafe.String(actors.SentTable(turns)))
	return err
}
