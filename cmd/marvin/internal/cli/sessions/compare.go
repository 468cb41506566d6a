package sessions

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"marvin/actors"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/tools"
	"marvin/ui/transcript"
)

type compareCommand struct {
	Args struct {
		A    keptName `positional-arg-name:"A" required:"yes" description:"a conversation, or NAME@BRANCH"`
		B    keptName `positional-arg-name:"B" required:"yes" description:"another one"`
		File string   `positional-arg-name:"FILE" required:"yes" description:"the page to write"`
	} `positional-args:"yes"`
}

func (c compareCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return WithArchive(world, opts, func(all Archive) error { return all.compare(c) })
}

func (a Archive) compare(asked compareCommand) error {
	if !strings.EqualFold(filepath.Ext(asked.Args.File), ".html") {
		return errors.New("a comparison is an HTML page; give a file name that ends in .html")
	}
	left, err := a.readSide(string(asked.Args.A))
	if err != nil {
		return err
	}
	right, err := a.readSide(string(asked.Args.B))
	if err != nil {
		return err
	}
	path, err := cli.WriteNew(a.World, asked.Args.File, a.Dir, transcript.Compare(left, right))
	if err != nil {
		return err
	}
	if a.json {
		return a.write(map[string]string{"path": path})
	}
	fmt.Fprintf(a.World.Stdout, "Compared in %s\n", path)
	return nil
}

// readSide reads a conversation for a comparison. The argument is NAME, or NAME@BRANCH to select a
// branch of the conversation.
func (a Archive) readSide(named string) (transcript.Side, error) {
	name, branch, _ := strings.Cut(named, "@")
	info, err := a.findNamed(name)
	if err != nil {
		return transcript.Side{}, err
	}
	entry, title := int64(0), info.DisplayName()
	if branch != "" {
		if entry, err = a.branch(info.ID, branch); err != nil {
			return transcript.Side{}, err
		}
		title += " @ " + branch
	}
	told, err := actors.ReadBranch(a.Home, info, entry, extensions.NewRegistry(a.Home, tools.NewHTTPClient(nil), a.World.Now))
	if err != nil {
		return transcript.Side{}, err
	}
	return transcript.Side{Title: title, Steps: steps(told)}, nil
}

// branch finds a turn by its number or label, and returns the turn's entry.
func (a Archive) branch(id, named string) (int64, error) {
	info, err := a.findNamed(id)
	if err != nil {
		return 0, err
	}
	tree, err := actors.Branches(a.Home, info)
	if err != nil {
		return 0, err
	}
	if number, err := strconv.Atoi(named); err == nil && number >= 1 && number <= len(tree.Turns) {
		return tree.Turns[number-1].Entry, nil
	}
	for _, turn := range tree.Turns {
		if turn.Label != "" && strings.EqualFold(turn.Label, named) {
			return turn.Entry, nil
		}
	}
	return 0, fmt.Errorf("conversation %s has no turn %q; it has %d turns, and /tree in that conversation shows them", id, named, len(tree.Turns))
}
