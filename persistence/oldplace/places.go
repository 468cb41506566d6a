package oldplace

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marvin/persistence"
)

const (
	name = "marvin"
	old  = "local-finder" // the old name of the directories
)

// Places contains the user's home directory and the values of XDG_CONFIG_HOME, XDG_DATA_HOME and
// XDG_STATE_HOME. A value that is not an absolute path is ignored.
type Places struct{ Home, Config, Data, State string }

// pair is an old directory and the directory that replaces it.
type pair struct{ from, to string }

func (p Places) base(variable string, usual ...string) string {
	if filepath.IsAbs(variable) {
		return filepath.Clean(variable)
	}
	return filepath.Join(append([]string{p.Home}, usual...)...)
}

func (p Places) config() string { return filepath.Join(p.base(p.Config, ".config"), name) }
func (p Places) data() string   { return filepath.Join(p.base(p.Data, ".local", "share"), name) }
func (p Places) state() string  { return filepath.Join(p.base(p.State, ".local", "state"), name) }

// was returns the path of the old configuration directory. Other programs rely on this path.
func (p Places) was() string { return filepath.Join(p.Home, ".config", old) }

// instructions returns the old and the new directory of the user's project instructions.
func (p Places) instructions() pair {
	return pair{filepath.Join(p.Home, ".marvin", "instructions"), filepath.Join(p.config(), "instructions")}
}

// pairs returns each old directory with its replacement. Duplicates are harmless, because a second
// move does nothing.
func (p Places) pairs() []pair {
	all := []pair{{p.was(), p.config()}, p.instructions()}
	for _, to := range []string{p.config(), p.data(), p.state()} {
		if from := filepath.Join(filepath.Dir(to), old); from != p.was() {
			all = append(all, pair{from, to})
		}
	}
	return append(all, pair{filepath.Join(p.Home, ".local", "share", old), p.data()}, pair{filepath.Join(p.Home, ".local", "state", old), p.state()})
}

// Open returns the user's home and writes nothing. If the new configuration directory is unused,
// Open uses an existing old directory.
func (p Places) Open(now func() time.Time) *persistence.Home {
	home := persistence.Open(p.Home, now)
	if p.Home == "" {
		return home
	}
	home.State, home.Words, home.Data, home.Logs = p.config(), p.config(), p.data(), p.state()
	for _, from := range slices.Compact([]string{p.was(), filepath.Join(filepath.Dir(p.config()), old)}) {
		// Check the usual case first, because each process calls Open several times.
		if used(home.State) {
			break
		}
		info, err := os.Stat(from)
		now, _ := os.Stat(home.State)
		if err == nil && info.IsDir() && !os.SameFile(info, now) { // the old name may be a link to the new directory
			home.State = from
		}
	}
	if usual := filepath.Join(p.Home, ".config", name); usual != home.Words && !hasInstructions(home.Words) && hasInstructions(usual) {
		// Older versions of Marvin ignored XDG_CONFIG_HOME when they read the user's instructions.
		home.Words = usual
	}
	return home
}

func used(dir string) bool { return has(dir, "config.yaml", "profiles", "usage.json", "logins.json") }

// hasInstructions reports whether a directory contains instructions that the user wrote for Marvin.
func hasInstructions(dir string) bool {
	return has(dir, "AGENTS.md", "rules", "RULES.md", "SYSTEM.md", "APPEND_SYSTEM.md", "skills", "commands", "agents")
}

func has(dir string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	})
}

// Settle moves the old directories and returns a message for each move and each failure. It ignores
// permission errors, read-only file systems, and failures to move between file systems.
func (p Places) Settle() (said []string) {
	if p.Home == "" {
		return nil
	}
	for _, one := range p.pairs() {
		if survivesCleanup(one.from) && !survivesCleanup(one.to) {
			continue // an XDG variable points to a temporary directory
		}
		moved, err := move(one.from, one.to)
		switch {
		case err == nil && moved.Done:
			said = append(said, p.say(moved))
			p.carryLog()
		case err != nil && !errors.Is(err, fs.ErrPermission) && !readOnly(err):
			said = append(said, p.short(one.from)+" is not moved to "+p.short(one.to)+" and stays in use: "+err.Error())
		}
	}
	p.Link()
	return said
}

// Link creates a link from the old path of the configuration directory to the new directory,
// because other programs rely on the old path.
func (p Places) Link() {
	if p.Home != "" && filepath.Dir(p.was()) == filepath.Dir(p.config()) {
		linkOldName(p.was(), p.config())
	}
}

func (p Places) say(moved Moved) string {
	text := p.short(moved.From) + " is now " + p.short(moved.To) + "; the old name is a link to it."
	if len(moved.Left) > 0 {
		text += " Both had " + strings.Join(moved.Left, ", ") + ": the old files are in " + p.short(moved.LeftIn) + "."
	}
	return text
}

func (p Places) carryLog() {
	for _, name := range []string{"marvin.log", "marvin.log.1"} {
		from, to := filepath.Join(p.config(), name), filepath.Join(p.state(), name)
		if !has(p.config(), name) || has(p.state(), name) {
			continue
		}
		// If the move fails, the old log stays in the configuration directory.
		_ = cmp.Or(os.MkdirAll(p.state(), 0o700), os.Rename(from, to))
	}
}

func (p Places) short(path string) string {
	if rest, ok := strings.CutPrefix(path, p.Home+string(filepath.Separator)); ok {
		return "~/" + filepath.ToSlash(rest)
	}
	return path
}

// survivesCleanup reports whether a path is outside the system's temporary directories.
func survivesCleanup(path string) bool {
	for _, dir := range []string{"/tmp", "/var/tmp", "/run", "/dev/shm"} {
		if rest, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rest) {
			return false
		}
	}
	return true
}
