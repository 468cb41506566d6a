package copilot

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// surroundings returns the environment for the CLI. It replaces unwritable cache and state
// directories, because the CLI hangs if it cannot unpack itself. For the user's own provider,
// surroundings sets COPILOT_MODEL if it is unset. The CLI requires this variable even though each
// session names a model.
func (p *process) surroundings(environ []string) []string {
	cache := lookup(environ, "XDG_CACHE_HOME")
	if dir := lookup(environ, homeVar); cache == "" && dir != "" {
		cache = filepath.Join(dir, ".cache")
	}
	environ = slices.Clip(environ)
	if lookup(environ, ownKeyVar) != "" && lookup(environ, "COPILOT_MODEL") == "" {
		environ = append(environ, "COPILOT_MODEL=unset")
	}
	if !writable(cache) {
		environ = append(environ, "XDG_CACHE_HOME="+p.scratch)
	}
	if !writable(home(environ)) {
		environ = append(environ, "COPILOT_HOME="+p.scratch)
	}
	return environ
}

func writable(dir string) bool {
	if dir == "" || os.MkdirAll(dir, 0o700) != nil {
		return false
	}
	probe, err := os.MkdirTemp(dir, ".marvin-")
	return err == nil && os.Remove(probe) == nil
}

// tail keeps the last 2000 bytes written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, text...)
	t.text = t.text[max(0, len(t.text)-2000):]
	return len(text), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
