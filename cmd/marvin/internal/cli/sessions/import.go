package sessions

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"marvin/actors"
	"marvin/cmd/marvin/internal/cli"
	"marvin/messages"
	"marvin/persistence/sessions"
	"marvin/tools"
	"marvin/ui/termsafe"
)

type importCommand struct {
	Args struct {
		Paths []string `positional-arg-name:"PATH" required:"1" description:"a log, or a directory with logs below it"`
	} `positional-args:"yes"`
}

func (c importCommand) Run(_ context.Context, world cli.World, opts cli.Options) error {
	return WithArchive(world, opts, func(all Archive) error { return all.importAll(c.Args.Paths) })
}

// importAll imports other assistants' logs as conversations. Each path is a log or a directory that
// contains logs. importAll skips logs that were imported before. In a directory, it ignores files
// that are not logs.
func (a Archive) importAll(paths []string) error {
	known := a.List()
	var problems []error
	imported := []listed{}
	hide := tools.SecretsOf(a.World.Environ, a.World.Home).Hide
	for _, path := range paths {
		files, err := logsBelow(path)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		for _, file := range files {
			info, err := a.importFile(file, known, hide, file == path)
			switch {
			case err != nil:
				problems = append(problems, fmt.Errorf("%s: %w", file, err))
			case info != nil:
				known = append(known, *info)
				imported = append(imported, NewRow(*info))
			}
		}
	}
	if a.json {
		return errors.Join(append(problems, a.write(imported))...)
	}
	if len(imported) > 0 {
		fmt.Fprintln(a.World.Stdout, "To continue one, run marvin -r ID; to choose from a list, run marvin -r")
	} else if len(problems) == 0 {
		fmt.Fprintln(a.World.Stderr, "There is nothing new to import.")
	}
	return errors.Join(problems...)
}

// importFile imports a log. It returns nil, nil if the log was imported before. If named is false,
// importFile also returns nil, nil for an empty log or an unknown format.
func (a Archive) importFile(path string, known []sessions.Info, hide func(string) string, named bool) (*sessions.Info, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file; save the log as a file first")
	}
	result, err := actors.Import(a.Home, file, known, hide)
	var before *actors.ImportedError
	switch {
	case errors.As(err, &before):
		if named && !a.json {
			fmt.Fprintf(a.World.Stderr, "%s: %v\n", termsafe.Line(path), before)
		}
		return nil, nil
	case !named && (errors.Is(err, actors.ErrUnknownLog) || errors.Is(err, actors.ErrEmptyLog)):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if result.Skipped > 0 {
		fmt.Fprintf(a.World.Stderr, "warning: %s: %s could not be read\n", termsafe.Line(path), messages.Counted(result.Skipped, "line"))
	}
	if !a.json {
		fmt.Fprintf(a.World.Stdout, "imported %s (%s)\n", Row(result.Info, 0), result.By)
	}
	return &result.Info, nil
}

// logsBelow returns the logs in a directory tree, or path itself if path is a file. Logs of
// sub-agents in the tree are skipped, because a sub-agent belongs to another conversation.
func logsBelow(path string) (files []string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	err = filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && strings.HasSuffix(path, ".jsonl") && !strings.HasPrefix(entry.Name(), "agent-") {
			files = append(files, path)
		}
		return nil // skip unreadable directories; the user's own logs are readable
	})
	return files, err
}
