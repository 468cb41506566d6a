package language

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"marvin/persistence/settings"
	"marvin/tools"
	lsp "marvin/tools/internal/language"
)

// ServerStatus is the state of a language server.
type ServerStatus struct {
	Server  Server
	Program string // path of the installed program
	Why     error  // nil if the server is usable
}

// Known returns the status of all configured and built-in servers.
func Known(own map[string]settings.Language, on Ground, now func() time.Time) (all []ServerStatus) {
	set := &Set{Own: own, Now: now}
	environ := tools.Distrust(on.Environ, append(on.Sandbox.Trees(), on.Top)...)
	for _, server := range set.All() {
		program, err := set.Program(server, environ)
		all = append(all, ServerStatus{Server: server, Program: program, Why: err})
	}
	return all
}

// FileReport is a server's report on one file.
type FileReport struct {
	Server   string
	Findings Findings
	Log      string
}

// Examine starts the language servers for a file, and requests a report on the file from each
// server.
func Examine(ctx context.Context, own map[string]settings.Language, on Ground, now func() time.Time, path string) ([]FileReport, error) {
	set := &Set{Own: own, Now: now}
	wishes, missing := set.ServersFor(path, on)
	if len(wishes) == 0 {
		how := "Marvin does not know one for this type of file"
		if len(missing) > 0 {
			how = "one could be installed: " + strings.Join(missing, "; ")
		}
		return nil, fmt.Errorf("%w for %s: %s", tools.ErrNoLanguage, filepath.Base(path), how)
	}
	var all []FileReport
	for _, wish := range wishes {
		content, err := read(on.Top, path)
		if err != nil {
			return all, err
		}
		one, err := examine(ctx, wish, on, File{Path: path, Content: content})
		if err != nil {
			return all, err
		}
		all = append(all, one)
	}
	return all, nil
}

func examine(ctx context.Context, wish Wish, on Ground, file File) (FileReport, error) {
	session, err := Begin(ctx, wish, on)
	if err != nil {
		return FileReport{}, err
	}
	defer session.Close()
	ctx, stop := context.WithTimeout(ctx, lsp.Patience)
	defer stop()
	report, err := session.Check(ctx, []File{file})
	one := FileReport{Server: wish.Server.Name}
	one.Findings.Add(wish.Server.Name, report)
	one.Log = session.Log()
	return one, err
}
