package sessions

import (
	"context"
	"fmt"
	"io"

	"marvin/actors"
	"marvin/cmd/marvin/internal/cli"
	"marvin/tools"
	"marvin/ui/changes"
	"marvin/ui/termsafe"
)

type diffCommand struct {
	Stat bool `long:"stat" description:"print only a line for each file, and the totals"`
	oneCommand
}

func (d diffCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return WithArchive(world, opts, func(all Archive) error { return all.diff(string(d.Args.ID), d.Stat) })
}

func (a Archive) diff(id string, stat bool) error {
	info, err := a.findNamed(id)
	if err != nil {
		return err
	}
	all, err := actors.Changes(a.Home, info, tools.Env{
		Home: a.Home.User, State: a.Home.State, Environ: a.World.Environ, Now: a.World.Now, Progress: func(string) {},
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
		fmt.Fprintln(a.World.Stderr, "not included:", termsafe.Line(one))
	}
	if stat || widthOf(a.World) > 0 { // clean the text: a file must not control the terminal
		patch = termsafe.String(patch)
	}
	if _, err := io.WriteString(a.World.Stdout, patch); err != nil {
		return cli.OutputError(err)
	}
	return nil
}
