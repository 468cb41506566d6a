package gitdir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// Pins remembers which repository git should find from each directory. The zero value is ready to
// use. Pins is safe for concurrent use.
type Pins struct {
	mu    sync.Mutex
	found map[string]Found
	told  map[string]string
	execs map[string]string // the commands that [Pins.NewExecs] last found for each directory
}

// ErrMoved means that git now finds another repository, or none.
var ErrMoved = errors.New("git would now use a different repository here")

// Check compares the repository that git finds from dir with the repository recorded for dir. If a
// jailed command could have caused a difference, Check returns an error that wraps [ErrMoved].
// Otherwise, Check records the repository that git finds. Jailed commands can neither remove .git
// nor create it where git finds no repository, so Check accepts both changes. If nothing is
// recorded, Check fails only for a bare repository with a broken, non-empty .git.
func (p *Pins) Check(dir string) error {
	if !filepath.IsAbs(dir) {
		return nil
	}
	now := Discover(dir)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found == nil {
		p.found, p.told = map[string]Found{}, map[string]string{}
	}
	pinned, known := p.found[dir]
	err := moved(pinned, now, known)
	if err == nil {
		p.found[dir] = now
		delete(p.told, dir)
	}
	return err
}

// Begin calls Check if nothing is recorded for the directory yet.
func (p *Pins) Begin(dir string) {
	p.mu.Lock()
	_, known := p.found[dir]
	p.mu.Unlock()
	if !known {
		_ = p.Check(dir)
	}
}

// News returns the error from [Pins.Check], and reports whether that error differs from the
// previous one for dir.
func (p *Pins) News(dir string) (fresh bool, err error) {
	if err = p.Check(dir); err == nil {
		return false, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fresh = p.told[dir] != err.Error()
	p.told[dir] = err.Error()
	return fresh, err
}

func nothing(path string) bool {
	if _, err := os.Lstat(path); err != nil {
		return true
	}
	entries, err := os.ReadDir(path)
	return err == nil && len(entries) == 0 // the sandbox creates empty directories while a command runs
}

// moved compares the pinned repository with the repository that git finds now. It returns an error
// if a command could have caused a difference.
func moved(pinned, now Found, known bool) error {
	if known && pinned == now {
		return nil
	}
	if now.Bare { // a command may have created HEAD, objects and refs
		entry := filepath.Join(now.Dir, ".git")
		if !nothing(entry) {
			return fmt.Errorf("%w: %s is broken (%s), so git treats the directory %s as a repository, because it has HEAD, objects and refs; its configuration could make git run programs", ErrMoved, entry, broken(entry), now.Dir)
		}
		if known {
			return fmt.Errorf("%w: git treats the directory %s as a repository, because it has HEAD, objects and refs; its configuration could make git run programs", ErrMoved, now.Dir)
		}
		return nil
	}
	if !known || pinned == (Found{}) {
		return nil
	}
	entry := pinned.Entry
	if pinned.Bare {
		entry = pinned.Dir
	}
	if _, err := os.Lstat(entry); err != nil || now.Entry == entry && pinned.Common == now.Common {
		// Jailed commands cannot remove entry. If entry exists, it still leads to pinned.Common.
		return nil
	}
	switch why := broken(pinned.Dir); {
	case now.Entry == entry || why == "":
		return fmt.Errorf("%w: it was %s, and now it is %s", ErrMoved, pinned.Common, now.Common)
	case now == Found{}:
		return fmt.Errorf("%w: %s is broken (%s)", ErrMoved, entry, why)
	default:
		return fmt.Errorf("%w: %s is broken (%s), so git uses %s instead", ErrMoved, entry, why, now.Dir)
	}
}
