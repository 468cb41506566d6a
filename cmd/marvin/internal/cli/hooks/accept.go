package hooks

import (
	"context"
	"fmt"
	"slices"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/persistence/projects"
	"marvin/tools"
	"marvin/tools/hooks"
)

type hooksAcceptCommand struct{ extensions.HooksFile }

func (c hooksAcceptCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	table, err := HookTable(world, opts)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(table.offers, func(offer *hooks.Offer) bool { return c.Args.File == "" || offer.File == c.Args.File })
	if at < 0 {
		return fmt.Errorf("this project offers no hooks%s; marvin hooks list shows what there is", extensions.In(tools.Visible(c.Args.File)))
	}
	for _, offer := range table.offers[at:] {
		if c.Args.File != "" && offer.File != c.Args.File {
			continue
		}
		if err := projects.OffersOf(table.home).Accept(table.place.Env.Dir, extensions.AcceptedHooks(offer.File), offer.Hash); err != nil {
			return err
		}
		fmt.Fprintf(world.Stdout, "The hooks of %s are now used in this directory, in the sandbox:\n", offer.File)
		for _, hook := range offer.Hooks {
			fmt.Fprintln(world.Stdout, hookLine(hook))
		}
		fmt.Fprintf(world.Stdout, "  they get %s\n", extensions.ProjectEnvironment(world, table.home))
		for _, left := range offer.Left {
			fmt.Fprintln(world.Stdout, "  left out:", tools.Visible(left))
		}
	}
	return nil
}

type hooksRefuseCommand struct{ extensions.HooksFile }

func (c hooksRefuseCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	table, err := HookTable(world, opts)
	if err != nil {
		return err
	}
	for _, file := range hooks.ForeignFiles {
		if c.Args.File != "" && c.Args.File != file {
			continue
		}
		if err := projects.OffersOf(table.home).Refuse(table.place.Env.Dir, extensions.AcceptedHooks(file)); err != nil {
			return err
		}
	}
	fmt.Fprintln(world.Stdout, "No hooks of this project run any more.")
	return nil
}
