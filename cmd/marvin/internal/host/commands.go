package host

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/persistence"
	"marvin/persistence/settings"
	written "marvin/persistence/words"
	"marvin/tools"
)

type OwnCommands struct {
	List listCommands `command:"list" description:"list your commands and skills, and those of this project" long-description:"Examples:\n  marvin commands list\n  marvin commands list --output json --working-dir ~/project"`
}

type listCommands struct{}

// listedCommand is the JSON form of a command, as described in docs/instructions.md.
type listedCommand struct {
	Name        string `json:"name"`
	Kind        string `json:"kind"`
	Description string `json:"description"`
	Hint        string `json:"hint"`
	Path        string `json:"path"`
	Own         bool   `json:"own"`
	State       string `json:"state"`
	Why         string `json:"why"`
}

// Run lists all commands and skills, and explains why some are unavailable.
func (listCommands) Run(_ context.Context, world cli.World, opts cli.Options) error {
	if opts.Output == "jsonl" {
		return errors.New("\"marvin commands list\" writes text, or JSON with --output json")
	}
	dir, err := cli.WorkingDir(world, opts)
	if err != nil {
		return err
	}
	settings, broken := settings.Read(cli.OpenHome(world))
	library, wrong := extensions.Library(world, settings)
	if err := errors.Join(broken, wrong); err != nil {
		fmt.Fprintln(world.Stderr, "warning:", err)
	}
	found := extensions.FindWritten(library, cli.OpenHome(world), dir)
	list := []listedCommand{}
	for _, file := range found.Of(written.Command, written.Skill) {
		list = append(list, listedCommand{
			Name: extensions.TypedName(file), Kind: string(file.Kind), Description: file.Head.Description, Hint: file.Head.Hint,
			Path: file.Path, Own: file.Own, State: string(file.State), Why: file.Why,
		})
	}
	if opts.Output == "json" {
		return errors.Join(cli.WriteLine(world, struct {
			Commands []listedCommand `json:"commands"`
		}{list}), found.Problem())
	}
	if len(list) == 0 {
		words := cli.OpenHome(world).Words
		if words == "" {
			return errors.Join(found.Problem(), persistence.ErrNoHome)
		}
		fmt.Fprintf(world.Stderr, "There are no commands or skills yet. To add a command, write %s/commands/NAME.md.\n", words)
	}
	for _, one := range list {
		line := strings.TrimSpace(one.Name + " " + one.Hint)
		state := one.Description
		if one.State != string(written.Loaded) && one.State != string(written.Shortened) {
			state = "(" + one.State + ": " + one.Why + ") " + state
		}
		fmt.Fprintf(world.Stdout, "%-30s %s\n", tools.Visible(line), tools.Visible(state))
	}
	return found.Problem()
}
