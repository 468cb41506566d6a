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

// Session is a running server.
type Session = lsp.Session

// File is a file with its content.
type File = lsp.File

// Report is what a server says of changed files.
type Report = lsp.Report

// Server is a language server that there could be.
type Server = lsp.Server

// Ground is what servers run on.
type Ground struct {
	Version string // of Marvin, for the server
	Environ []string
	Sandbox *tools.Sandbox
	Top     string // what the conversation is held to, absolute; no root is above it
}

// Wish is a server for a root: what one process is for.
type Wish struct {
	Server  Server
	Root    string
	Program string
}

// Key tells wishes apart: who has the same one is served by the same process.
func (w Wish) Key() string {
	return strings.Join(append([]string{w.Root, w.Program}, w.Server.Command[1:]...), "\x00")
}

// Set knows the possible servers, and which are installed, checked on demand. It is safe for
// concurrent use.
type Set struct {
	Own    map[string]settings.Language
	Format bool // what a model writes is formatted
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

// looksAgain is how long a missing program stays missing, so that a user who installs it need not
// restart Marvin.
const looksAgain = 30 * time.Second

// All are the servers that there could be.
func (s *Set) All() []Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all, s.found = lsp.All(s.Own), map[string]program{}
	}
	return s.all
}

// Program is where a server is installed: not where the project can write, whose marks are
// in the environment.
func (s *Set) Program(server Server, environ []string) (string, error) {
	if len(server.Command) == 0 {
		return "", fmt.Errorf("languages: %s has no command, and Marvin does not know this server; give it command and files in config.yaml", server.Name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := server.Command[0]
	known, has := s.found[name]
	if has && (known.err == nil || s.Now().Sub(known.at) < looksAgain) {
		return known.path, known.err
	}
	path, err := proc.Find(name, environ)
	if err == nil && hollow(path, environ) {
		path, err = "", fmt.Errorf("%w: %s, a rustup link without the component", proc.ErrNotFound, name)
	}
	if s.found == nil {
		s.found = map[string]program{}
	}
	s.found[name] = program{path, err, s.Now()}
	return path, err
}

// hollow reports whether a program is a rustup link whose component no toolchain has.
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

// Wishes are the servers to ask about a file, the one that knows most first. Missing says of
// those that are not installed how to install them.
func (s *Set) Wishes(path string, on Ground) (wishes []Wish, missing []string) {
	environ := tools.Distrust(on.Environ, append(on.Sandbox.Trees(), on.Top)...)
	for _, kind := range lsp.Wanted(s.All(), path, on.Top) {
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
			missing = append(missing, lsp.Missing(kind))
		}
	}
	return wishes, missing
}

// Begin starts a server. It runs until it is closed.
func Begin(ctx context.Context, wish Wish, on Ground) (*Session, error) {
	ground := lsp.Ground{
		Version: on.Version, Environ: tools.Distrust(on.Environ, append(on.Sandbox.Trees(), on.Top)...), Root: wish.Root, Shown: on.Top, Program: wish.Program,
		Read: func(path string) ([]byte, error) { return read(wish.Root, path) },
	}
	if !wish.Server.Free && on.Sandbox.Mode() != tools.SandboxOff {
		cell, err := on.jail()
		if err != nil {
			return nil, fmt.Errorf("the language server %s was not started: %w\nTo run it without the sandbox, with all your rights, put languages: {%[1]s: {sandbox: off}} into config.yaml", wish.Server.Name, err)
		}
		ground.Jail = cell
	}
	session, err := lsp.Start(ctx, wish.Server, ground)
	if errors.Is(err, tools.ErrHosts) { // which a sandbox says once
		if ground.Jail, err = on.jail(); err == nil {
			session, err = lsp.Start(ctx, wish.Server, ground)
		}
	}
	if err != nil {
		return nil, errors.New(tools.Visible(err.Error()))
	}
	return session, nil
}

// jail is the jail of a server. The server outlives the taint of a conversation, and some run
// project code: so it may contact only registries and remotes.
func (on Ground) jail() (*jail.Jail, error) {
	env := tools.Env{Environ: on.Environ, Home: proc.Lookup(on.Environ, "HOME"), Tainted: "the conversation", Held: tools.Held{Sandbox: on.Sandbox}}
	return env.JailAlways(on.Top)
}

// read gives a file of a root, which no link leads out of.
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
