package main

import (
	"context"
	"fmt"
	"io"

	"marvin/actors"
	"marvin/tools"
	"marvin/ui/changes"
	"marvin/ui/termsafe"
)

// diffCommand prints what a conversation that is kept changed in files.
type diffCommand struct {
	Stat bool `long:"stat" description:"only the sum, and a line for each file"`
	Args struct {
		ID keptName `positional-arg-name:"ID" required:"yes" description:"or the name, as marvin sessions list has it"`
	} `positional-args:"yes"`
}

func (d diffCommand) Run(_ context.Context, world World, opts options) error {
	return inArchive(world, opts, func(all archive) error { return all.diff(string(d.Args.ID), d.Stat) })
}

func (a archive) diff(id string, stat bool) error {
	info, err := a.named(id)
	if err != nil {
		return err
	}
	all, err := actors.Changes(a.home, info, tools.Env{
		Home: a.home.User, State: a.home.State, Environ: a.world.Environ, Now: a.world.Now, Progress: func(string) {},
	})
	if err != nil {
		return err
	}
	if a.json {
		return a.write(all)
	}
	patch, left := changes.Patch(all)
	if stat && len(all.Files) > 0 {
		patch, left = changes.Stat(all)+"\n", nil
	}
	for _, one := range left {
		fmt.Fprintln(a.world.Stderr, "not included:", termsafe.Line(one))
	}
	if stat || widthOf(a.world) > 0 { // a terminal, which a file must not steer
		patch = termsafe.String(patch)
	}
	if _, err := io.WriteString(a.world.Stdout, patch); err != nil {
		return unwritten(err)
	}
	return nil
}
