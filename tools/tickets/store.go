package tickets

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

	"marvin/tools"
	"marvin/tools/internal/box"
	"marvin/tools/internal/edit"
	"marvin/tools/internal/near"
	"marvin/tools/internal/proc"
)

// Service serializes the changes that this process makes. A change fails if tk or another Marvin
// process changes the ticket at the same time.
type Service struct{ mu sync.Mutex }

// New returns a service. It does not access the disk.
func New() *Service { return &Service{} }

// Tools returns the tools of this category.
func (s *Service) Tools() []tools.Tool {
	return []tools.Tool{
		s.createTool(), s.startTool(), s.closeTool(), s.noteTool(), s.showTool(), s.listTool(), s.treeTool(), s.dependTool(),
		s.tkTool(),
	}
}

const (
	dirName   = ".tickets"
	maxTicket = 1 << 20 // maximum number of bytes read from one ticket
)

// errNone means that there is no ticket directory.
var errNone = errors.New("there are no tickets")

// store is a ticket directory. Its tickets are sorted by file name.
type store struct {
	*box.Dir
	base    string // the project directory to which the tickets belong
	tickets []ticket
	broken  []string // files that could not be read
}

// start returns the directory in which the search for tickets begins: the working directory or, if
// none is set, the directory in which Marvin was started.
func start(env tools.Env) (string, error) {
	dir := cmp.Or(env.Dir, proc.Lookup(env.Environ, "PWD"))
	if !filepath.IsAbs(dir) {
		return "", tools.Advise(errors.New("no working directory is set"), "Call set_working_dir with the project's absolute path first.")
	}
	return tools.ResolveLinks(dir), nil
}

// open finds and opens the ticket directory: $TICKETS_DIR, or the nearest directory named .tickets
// in or above the working directory. If create is true, open creates a missing directory. The
// caller must close the store.
func open(env tools.Env, create bool) (*store, error) {
	from, err := start(env)
	if err != nil {
		return nil, err
	}
	named := proc.Lookup(env.Environ, "TICKETS_DIR")
	path := find(from, named)
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		if !create {
			return nil, tools.Advise(fmt.Errorf("%w in or above %s", errNone, from), "Make one with create_ticket.")
		}
		if err := makeDir(path); err != nil {
			return nil, err
		}
	}
	dir, err := openDir(path, path == named)
	if err != nil {
		return nil, err
	}
	s := &store{Dir: dir, base: filepath.Dir(path)}
	if err := s.load(); err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	return s, nil
}

// openDir opens a ticket directory. If fromEnv is true, the path comes from $TICKETS_DIR and may be
// anywhere. Otherwise, the path must not be a link that leads out of its parent directory, because
// a repository can contain a link to any directory.
func openDir(path string, fromEnv bool) (*box.Dir, error) {
	const kind = "Ticket directory"
	if fromEnv {
		return box.OpenAs(kind, path)
	}
	dir, err := box.OpenBelow(kind, filepath.Dir(path), path)
	if err != nil {
		return nil, tools.Advise(err, "If .tickets is a link to another place, set TICKETS_DIR to that place.")
	}
	return dir, nil
}

func find(from, named string) string {
	if filepath.IsAbs(named) {
		return named
	}
	if named != "" {
		return filepath.Join(from, named)
	}
	for dir := from; ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, dirName)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return path
		}
		if dir == filepath.Dir(dir) {
			return filepath.Join(from, dirName)
		}
	}
}

func makeDir(path string) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err == nil {
		err = errors.Join(root.Mkdir(filepath.Base(path), 0o755), root.Close())
	}
	if err != nil {
		return fmt.Errorf("make the ticket directory %s: %w", path, err)
	}
	return nil
}

func (s *store) load() error {
	entries, err := s.List(".")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := entry.Name()
		if filepath.Ext(name) != ".md" || strings.HasPrefix(name, ".") {
			continue
		}
		content, err := s.read(name)
		if err != nil {
			s.broken = append(s.broken, name)
			continue
		}
		if t, ok := parse(name, content); ok { // skip Markdown files that are not tickets
			s.tickets = append(s.tickets, t)
		}
	}
	return nil
}

func (s *store) read(name string) (string, error) {
	file, err := s.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxTicket))
	return string(content), err
}

// find returns the ticket with the given ID. A part of the ID or of the file name suffices if it
// matches only one ticket.
func (s *store) find(part string) (ticket, error) {
	part = strings.TrimSuffix(strings.TrimSpace(part), ".md")
	if part == "" {
		return ticket{}, tools.Advise(errors.New("the ticket's ID is empty"), "Give an ID from ticket_list.")
	}
	var found []ticket
	var ids []string
	for _, t := range s.tickets {
		if t.id == part {
			return t, nil
		}
		if strings.Contains(t.id, part) || strings.Contains(t.file, part) {
			found = append(found, t)
		}
		ids = append(ids, t.id)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		names := make([]string, min(len(found), 8))
		for i := range names {
			names[i] = found[i].id
		}
		return ticket{}, tools.Advise(fmt.Errorf("%q matches the IDs of %d tickets", part, len(found)), "Give one of these: %s.", strings.Join(names, ", "))
	}
	next := "ticket_list shows them."
	if close := near.Similar(part, ids, 3); len(close) > 0 {
		next = "Close IDs: " + strings.Join(close, ", ") + "."
	}
	return ticket{}, tools.Advise(fmt.Errorf("there is no ticket %q in %s", part, s.Path()), "%s", next)
}

func (s *store) byID(id string) *ticket {
	i := slices.IndexFunc(s.tickets, func(t ticket) bool { return t.id == id })
	if i < 0 {
		return nil
	}
	return &s.tickets[i]
}

func (s *store) note() string {
	if len(s.broken) == 0 {
		return ""
	}
	return "\nNote: Marvin could not read " + strings.Join(s.broken, ", ")
}

// change replaces the content of one ticket with the result of the rewrite function. It fails if
// another program modifies the file at the same time.
func (s *Service) change(ctx context.Context, env tools.Env, part string, rewrite func(*store, ticket, string) (string, error)) (ticket, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dir, err := open(env, false)
	if err != nil {
		return ticket{}, err
	}
	defer func() { _ = dir.Close() }()
	t, err := dir.find(part)
	if err != nil {
		return ticket{}, err
	}
	batch := dir.Batch()
	content, err := batch.Read(t.file)
	if err != nil {
		return ticket{}, err
	}
	changed, err := rewrite(dir, t, string(content))
	if err != nil {
		return ticket{}, err
	}
	if err := batch.Write(t.file, []byte(changed)); err != nil {
		return ticket{}, err
	}
	_, err = edit.Write(ctx, env, batch)
	return t, err
}
