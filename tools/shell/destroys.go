package shell

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/gitcmd"
	"marvin/tools/internal/jail/copies"
	"marvin/tools/internal/permit/command"
)

// A script or build can destroy any file below the working directory, even one that the command
// line does not name. Before each command that can change files, Marvin therefore copies the files
// that git does not store. /undo restores destroyed files; if env.Undo is nil, the user finds the
// copies in a directory.

// makeCopies copies the files that a command could destroy. It returns nil if the command changes
// nothing, or if there is no sandbox.
func makeCopies(env tools.Env, line string) (*copies.Before, error) {
	if env.Sandbox == nil || onlyReads(line) {
		return nil, nil
	}
	root := cmp.Or(env.HeldTo(), env.Dir)
	before, err := env.Sandbox.Before(root)
	if err != nil {
		return nil, fmt.Errorf("copy files before a command destroys them: %w", err)
	}
	return before, before.Take()
}

// mostNamed is the maximum number of files named in a note.
const mostNamed = 8

// keepLost keeps the copies of the files that a command changed or removed. It returns a note for
// the model.
func keepLost(env tools.Env, before *copies.Before) string {
	if before == nil {
		return ""
	}
	lost := before.Lost()
	if len(lost) == 0 {
		return ""
	}
	where := "/undo brings them back"
	if env.Undo != nil {
		changes := make([]tools.FileChange, len(lost))
		for i, one := range lost {
			changes[i] = tools.FileChange{
				Dir: before.Root(), Name: one.Name, Path: filepath.Join(before.Root(), filepath.FromSlash(one.Name)),
				Before: one.Content, After: one.Now, BeforeMode: one.Mode, AfterMode: one.NowMode,
			}
		}
		env.Undo.Keep(changes)
	} else {
		dir, err := env.Sandbox.Keep(lost)
		if err != nil {
			return fmt.Sprintf("[destroyed, and Marvin could not store a copy of each file (%s): %s]\n", tools.Visible(err.Error()), named(lost))
		}
		where = "the user can find copies in " + tools.Visible(dir) + " for 30 days"
	}
	gone := slices.DeleteFunc(slices.Clone(lost), func(one copies.Lost) bool { return len(one.Now) > 0 })
	if len(gone) == 0 {
		return "" // no file was deleted or emptied
	}
	return fmt.Sprintf("[deleted or emptied, and their content is not in git: %s; %s]\n", named(gone), where)
}

func named(lost []copies.Lost) string {
	var names []string
	for _, one := range lost {
		if len(names) == mostNamed {
			names = append(names, fmt.Sprintf("%d more", len(lost)-mostNamed))
			break
		}
		names = append(names, tools.Visible(one.Name))
	}
	return strings.Join(names, ", ")
}

// irretrievable returns an error if the command line could destroy a file that is neither in git
// nor copied. It returns nil if the user is present or has approved the line.
func irretrievable(ctx context.Context, env tools.Env, before *copies.Before, line string) error {
	if before == nil || env.Person || env.Approved {
		return nil
	}
	patterns, unknown := command.Destroys(line, command.Place{Dir: env.Dir, Home: env.Home, Temp: env.Confines()})
	if len(patterns) == 0 && !unknown {
		return nil
	}
	list := before.Unsaved(patterns, unknown)
	ignored := ignored(ctx, env, before.Root(), list)
	for _, one := range list {
		if !ignored[one.Name] {
			return tools.Advise(fmt.Errorf("%w: the command could destroy %s, which git does not track and Marvin cannot copy: %s", tools.ErrForbidden, tools.Visible(one.Name), one.Reason),
				"Leave this file alone; if the command is meant for other files, give their exact paths. Or tell the user the exact command, which they can run themselves.")
		}
	}
	return nil
}

// ignored determines which listed files git ignores, for example as build products.
func ignored(ctx context.Context, env tools.Env, root string, list []copies.Uncopied) map[string]bool {
	names := map[string]bool{}
	if len(list) == 0 {
		return names
	}
	repository, err := gitcmd.Open(ctx, env, root)
	if err != nil {
		return names
	}
	for some := range slices.Chunk(list, 200) { // a command line is limited to 2 MB on Linux
		args := []string{"check-ignore", "--"}
		for _, one := range some {
			args = append(args, filepath.Join(root, filepath.FromSlash(one.Name)))
		}
		out, _ := repository.Read(ctx, args...) // git check-ignore fails if no file is ignored
		for line := range strings.Lines(out) {
			if name, err := filepath.Rel(root, strings.TrimSuffix(line, "\n")); err == nil {
				names[filepath.ToSlash(name)] = true
			}
		}
	}
	return names
}

var errNotCopied = errors.New("the command was not run, because Marvin could not copy the files that the command could destroy")
