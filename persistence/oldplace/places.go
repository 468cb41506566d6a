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
	old  = "local-finder" // what the directories were called
)

// Places are where the user's files are: the home directory, and what XDG_CONFIG_HOME,
// XDG_DATA_HOME and XDG_STATE_HOME say. A variable that is no absolute path does not count.
type Places struct{ Home, Config, Data, State string }

// pair is an old place and where it belongs now.
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

// was is the old place that the contract with other programs names.
func (p Places) was() string { return filepath.Join(p.Home, ".config", old) }

// instructions are where the user's words about single directories were.
func (p Places) instructions() pair {
	return pair{filepath.Join(p.Home, ".marvin", "instructions"), filepath.Join(p.config(), "instructions")}
}

// pairs are all old places. Those behind a variable are named once if the variable says the
// usual place.
func (p Places) pairs() []pair {
	all := []pair{{p.was(), p.config()}, p.instructions()}
	for _, to := range []string{p.config(), p.data(), p.state()} {
		if from := filepath.Join(filepath.Dir(to), old); from != p.was() {
			all = append(all, pair{from, to})
		}
	}
	return append(all, pair{filepath.Join(p.Home, ".local", "share", old), p.data()}, pair{filepath.Join(p.Home, ".local", "state", old), p.state()})
}

// Open returns the user's files at their present places. It writes nothing. An old place that could
// not be moved is still used.
func (p Places) Open(now func() time.Time) *persistence.Home {
	home := persistence.Open(p.Home, now)
	if p.Home == "" {
		return home
	}
	home.State, home.Words, home.Data, home.Logs = p.config(), p.config(), p.data(), p.state()
	for _, from := range slices.Compact([]string{p.was(), filepath.Join(filepath.Dir(p.config()), old)}) {
		if used(home.State) { // as nearly always: each start looks here several times
			break
		}
		info, err := os.Stat(from)
		now, _ := os.Stat(home.State)
		if err == nil && info.IsDir() && !os.SameFile(info, now) { // the link is no other place
			home.State = from
		}
	}
	if usual := filepath.Join(p.Home, ".config", name); usual != home.Words && !worded(home.Words) && worded(usual) {
		home.Words = usual // older Marvins read the user's words there whatever the variable said
	}
	return home
}

// used says whether Marvin keeps its files in a directory.
func used(dir string) bool { return has(dir, "config.yaml", "profiles", "usage.json", "logins.json") }

// worded says whether a directory has words that the user wrote for Marvin.
func worded(dir string) bool {
	return has(dir, "AGENTS.md", "rules", "RULES.md", "SYSTEM.md", "APPEND_SYSTEM.md", "skills", "commands", "agents")
}

func has(dir string, names ...string) bool {
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// Settle moves old places and returns one line for each. A place that cannot be moved stays in use.
func (p Places) Settle() (said []string) {
	if p.Home == "" {
		return nil
	}
	for _, one := range p.pairs() {
		if lasting(one.from) && !lasting(one.to) {
			continue // a variable names a directory for a while: nothing of the user's may go with it
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

// Link makes the name that the contract knows a link to where Marvin's files are.
func (p Places) Link() {
	if p.Home != "" && filepath.Dir(p.was()) == filepath.Dir(p.config()) {
		link(p.was(), p.config())
	}
}

func (p Places) say(moved Moved) string {
	text := p.short(moved.From) + " is now " + p.short(moved.To) + "; the old name is a link to it."
	if len(moved.Left) > 0 {
		text += " Both had " + strings.Join(moved.Left, ", ") + ": what was in the old place is in " + p.short(moved.LeftIn) + "."
	}
	return text
}

// carryLog takes the log of older Marvins to where logs are now.
func (p Places) carryLog() {
	for _, name := range []string{"marvin.log", "marvin.log.1"} {
		from, to := filepath.Join(p.config(), name), filepath.Join(p.state(), name)
		if !has(p.config(), name) || has(p.state(), name) {
			continue
		}
		_ = cmp.Or(os.MkdirAll(p.state(), 0o700), os.Rename(from, to)) // else it stays, and is read nowhere
	}
}

func (p Places) short(path string) string {
	if rest, ok := strings.CutPrefix(path, p.Home+string(filepath.Separator)); ok {
		return "~/" + filepath.ToSlash(rest)
	}
	return path
}

// lasting says that a directory is not one of those that the system empties.
func lasting(path string) bool {
	for _, dir := range []string{"/tmp", "/var/tmp", "/run", "/dev/shm"} {
		if rest, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rest) {
			return false
		}
	}
	return true
}
