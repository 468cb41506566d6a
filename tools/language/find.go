package language

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/jail"
	lsp "marvin/tools/internal/language"
	"marvin/tools/internal/proc"
)

// Session is a running language server.
type Session = lsp.Session

// File is the path and content of a file.
type File = lsp.File

// Report is a server's report on changed files.
type Report = lsp.Report

// Server describes a language server.
type Server = lsp.Server

// Ground is the environment in which servers run.
type Ground struct {
	Version string // version of Marvin, reported to the server
	Environ []string
	Sandbox *tools.Sandbox
	// Top is the absolute path of the sandbox's root directory. A project root is never above Top.
	Top string
}

// Wish specifies a server, its program and the root directory of the project.
type Wish struct {
	Server  Server
	Root    string
	Program string
}

// Key identifies the process for a wish. Wishes with the same key share one process.
func (w Wish) Key() string {
	return strings.Join(append([]string{w.Root, w.Program}, w.Server.Command[1:]...), "\x00")
}

// Set contains the known language servers, and caches the paths of their programs. It is safe for
// concurrent use.
type Set struct {
	Own    map[string]settings.Language
	Format bool // whether servers format the files that a model writes
	Now    func() time.Time

	mu    sync.Mutex
	all   []Server
	found map[string]program
}

type program struct {
	path string
	err  error
	at   time.Time
}

// lookupInterval is how long a Set remembers that a program is missing.
const lookupInterval = 30 * time.Second

// All returns the servers from the configuration and from the built-in table.
func (s *Set) All() []Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all, s.found = lsp.All(s.Own), map[string]program{}
	}
	return s.all
}

// Program returns the path of a server's program. It ignores the directories that environ marks as
// untrusted (see [tools.Distrust]), because the project can write there.
func (s *Set) Program(server Server, environ []string) (string, error) {
	if len(server.Command) == 0 {
		return "", fmt.Errorf("Marvin does not know the language server %s, and config.yaml gives no command for it; add \"command:\" and \"files:\" to its entry under \"languages:\"", server.Name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := server.Command[0]
	known, has := s.found[name]
	if has && (known.err == nil || s.Now().Sub(known.at) < lookupInterval) {
		return known.path, known.err
	}
	path, err := proc.Find(name, environ)
	if err == nil && hollow(path, environ) {
		path, err = "", fmt.Errorf("%w: %s is a rustup link, but its component is not installed", proc.ErrNotFound, name)
	}
	if s.found == nil {
		s.found = map[string]program{}
	}
	s.found[name] = program{path, err, s.Now()}
	return path, err
}

// hollow returns true if a program is missing although its path exists. This is the case if the
// path is a link to rustup and no installed toolchain contains the program.
func hollow(path string, environ []string) bool {
	if real, err := filepath.EvalSymlinks(path); err != nil || filepath.Base(real) != "rustup" {
		return false
	}
	home := cmp.Or(proc.Lookup(environ, "RUSTUP_HOME"), filepath.Join(proc.Lookup(environ, "HOME"), ".rustup"))
	all, err := os.ReadDir(filepath.Join(home, "toolchains"))
	return err == nil && !slices.ContainsFunc(all, func(toolchain os.DirEntry) bool {
		_, missing := os.Stat(filepath.Join(home, "toolchains", toolchain.Name(), "bin", filepath.Base(path)))
		return missing == nil
	})
}

// ServersFor returns the best installed server of each kind for a file. For a kind without an
// installed server, the second result contains installation help. Missing linters are not reported.
func (s *Set) ServersFor(path string, on Ground) (wishes []Wish, missing []string) {
	environ := tools.Distrust(on.Environ, append(on.Sandbox.Trees(), on.Top)...)
	for _, kind := range lsp.ServersFor(s.All(), path, on.Top) {
		found := false
		for _, one := range kind {
			program, err := s.Program(one, environ)
			if err != nil {
				continue
			}
			root, _ := one.RootOf(path, on.Top)
			wishes, found = append(wishes, Wish{Server: one, Root: root, Program: program}), true
			break
		}
		if !found && !kind[0].Lint {
			missing = append(missing, lsp.InstallHelp(kind))
		}
	}
	return wishes, missing
}

// Begin starts a server, which runs until its session is closed.
func Begin(ctx context.Context, wish Wish, on Ground) (*Session, error) {
	ground := lsp.Ground{
		Version: on.Version, Environ: tools.Distrust(on.Environ, append(on.Sandbox.Trees(), on.Top)...), Root: wish.Root, Shown: on.Top, Program: wish.Program,
		Read: func(path string) ([]byte, error) { return read(wish.Root, path) },
	}
	if !wish.Server.Free && on.Sandbox.Mode() != tools.SandboxOff {
		cell, err := on.jail()
		if err != nil {
			return nil, fmt.Errorf("the language server %s was not started: %w\nTo run it without the sandbox, with all your permissions, put languages: {%[1]s: {sandbox: off}} into config.yaml", wish.Server.Name, err)
		}
		ground.Jail = cell
	}
	session, err := lsp.Start(ctx, wish.Server, ground)
	if errors.Is(err, tools.ErrHosts) { // a sandbox returns this error only once, so the second attempt can succeed
		if ground.Jail, err = on.jail(); err == nil {
			session, err = lsp.Start(ctx, wish.Server, ground)
		}
	}
	if err != nil {
		return nil, errors.New(tools.Visible(err.Error()))
	}
	return session, nil
}

// jail returns a jail in which a server can contact only package registries and the project's
// remotes. This limit applies from the start, because some servers run the project's code and
// untrusted text can arrive later.
func (on Ground) jail() (*jail.Jail, error) {
	env := tools.Env{Environ: on.Environ, Home: proc.Lookup(on.Environ, "HOME"), Tainted: "the conversation", Held: tools.Held{Sandbox: on.Sandbox}}
	return env.JailAlways(on.Top)
}

// read returns at most 5 MiB of the file at path. Links that lead out of root are not followed.
func read(root, path string) ([]byte, error) {
	name, err := filepath.Rel(root, path)
	if err != nil {
		return nil, err
	}
	dir, err := box.Open(root)
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	file, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, 5<<20))
}
