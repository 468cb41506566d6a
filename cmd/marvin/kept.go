package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"marvin/actors"
	"marvin/persistence"
	"marvin/persistence/projects"
	"marvin/persistence/sessions"
	"marvin/tools"
	"marvin/ui/termsafe"
)

// The conversation to begin or continue, and whether it is stored.

// conversations finds the conversation that the options mean.
type conversations struct {
	home  *persistence.Home
	world World
	opts  keeping
	dir   string
}

// kept returns the stored conversation that begins or continues; nil without storage. Its earlier
// state goes into the options.
func kept(world World, opts *options, person bool) (*actors.Kept, error) {
	if opts.NoSession || !person && !opts.asked() {
		return nil, nil
	}
	home := openHome(world)
	if sessions.Of(home).Dir() == "" {
		if opts.asked() {
			return nil, persistence.ErrNoHome
		}
		return nil, nil
	}
	dir, err := workingDir(world, *opts)
	if err != nil {
		return nil, err
	}
	from := conversations{home: home, world: world, opts: opts.keeping, dir: dir}
	opts.choosing = !opts.looking && opts.Resume != nil && *opts.Resume == "" && wantsFullScreen(world, *opts)
	id, err := "", error(nil)
	if !opts.choosing { // on the whole screen one chooses there
		id, err = from.find(person)
	}
	if err != nil {
		return nil, err
	}
	var name *sessions.Name
	if id == "" && opts.Session != "" && !opts.looking {
		if name, err = sessions.Of(home).Reserve(string(opts.Session)); err != nil {
			return nil, err
		}
		if id, err = from.find(person); err != nil { // it may have begun meanwhile
			return nil, errors.Join(err, name.Release())
		}
	}
	if id == "" {
		profile, _ := home.LastProfile() // errors are reported by wire
		return actors.Keep(home, sessions.Header{Dir: dir, Profile: profile}, string(opts.Session), from.terminal()).Reserved(name), nil
	}
	if err := name.Release(); err != nil {
		return nil, err
	}
	var kept *actors.Kept
	if opts.looking {
		kept, err = actors.Look(home, id)
	} else {
		kept, err = actors.Resume(home, id, from.terminal())
	}
	if err != nil {
		return nil, err
	}
	opts.takeUp(kept, world, dir)
	return kept, nil
}

// keptAnswer keeps a run for one answer until a few later ones, for --continue. It is nil where
// that is impossible.
func keptAnswer(world World, opts options) *actors.Kept {
	home := openHome(world)
	dir, err := workingDir(world, opts)
	readOnly, problem := tools.ReadOnly(world.Environ)
	if sessions.Of(home).Dir() == "" || readOnly || err != nil || problem != nil {
		return nil
	}
	profile, _ := home.LastProfile() // wire reports what is wrong with it
	from := conversations{home: home, world: world, dir: dir}
	return actors.KeepAnswer(home, sessions.Header{Dir: dir, Profile: profile}, from.terminal())
}

// find returns the id of the conversation to continue, "" for a new one.
func (c conversations) find(person bool) (string, error) {
	sessions := sessions.Of(c.home)
	switch {
	case c.opts.Fork != "":
		info, err := c.named(string(c.opts.Fork))
		if err != nil || c.opts.looking { // what a copy would begin with
			return info.ID, err
		}
		return sessions.Fork(info.ID, 0)
	case c.opts.Resume != nil && *c.opts.Resume != "":
		info, err := c.meant(*c.opts.Resume)
		return info.ID, err
	case c.opts.Resume != nil:
		return c.choose(person)
	case c.opts.Session != "":
		for _, info := range c.list() {
			if info.Name == string(c.opts.Session) {
				return info.ID, nil
			}
		}
	case c.opts.Continue:
		return c.last(person), nil
	}
	return "", nil
}

// list returns the conversations. Unreadable ones are reported and skipped.
func (c conversations) list() []sessions.Info {
	meter := newMeter(c.world, "Reading conversations")
	list, err := sessions.Of(c.home).Watch(meter.step).List()
	meter.end()
	c.warn(err)
	return list
}

// warn tells what could not be read.
func (c conversations) warn(err error) {
	if err != nil {
		fmt.Fprintln(c.world.Stderr, "warning:", err)
	}
}

// last is the conversation to continue in this directory. A headless run continues the last
// headless run too, an interactive user only without another conversation.
func (c conversations) last(person bool) string {
	list, err := sessions.Of(c.home).ListOf(c.dir)
	c.warn(err)
	id := c.latest(list)
	if answers, _ := sessions.Of(c.home).Answers().ListOf(c.dir); !c.opts.looking && len(answers) > 0 && (id == "" || !person && answers[0].Updated.After(list[0].Updated)) {
		if answer := c.latest(answers); answer != "" && sessions.Of(c.home).Adopt(answer) == nil {
			return answer
		}
	}
	if named := c.world.Getenv("PWD"); id == "" && named != c.dir && projects.RealDir(named) == c.dir {
		list, err = sessions.Of(c.home).ListOf(named) // an older Marvin stored the name of the link
		c.warn(err)
		id = c.latest(list)
	}
	if id == "" {
		sayOf(c.world, fmt.Sprintf("There is no conversation in %s yet; a new one begins.", cmp.Or(c.dir, "no directory")))
	}
	return id
}

// latest is the first used conversation of a list, preferring this terminal's; "" if none.
func (c conversations) latest(list []sessions.Info) string {
	list = slices.DeleteFunc(list, func(info sessions.Info) bool { return info.Turns == 0 && info.First == "" })
	if len(list) == 0 {
		return ""
	}
	if terminal := c.terminal(); terminal != "" {
		if at := slices.IndexFunc(list, func(info sessions.Info) bool { return info.Terminal == terminal }); at >= 0 {
			return list[at].ID
		}
	}
	return list[0].ID
}

// terminal identifies the user's terminal, so that another window keeps its own conversation.
func (c conversations) terminal() string {
	for _, name := range []string{"TMUX_PANE", "WEZTERM_PANE", "KITTY_WINDOW_ID", "TERM_SESSION_ID", "STY"} {
		if value := c.world.Getenv(name); value != "" {
			return name + "=" + value
		}
	}
	if c.world.Stdin == nil || !terminal(c.world.Stdin) {
		return ""
	}
	path, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(int(c.world.Stdin.Fd())))
	if err != nil {
		return ""
	}
	return path
}

// named finds a conversation by its id or the beginning of it, its name, or words of its title.
func (c conversations) named(text string) (sessions.Info, error) {
	return namedIn(c.list(), text)
}

func namedIn(list []sessions.Info, text string) (sessions.Info, error) {
	var found []sessions.Info
	for _, matches := range []func(sessions.Info) bool{
		func(info sessions.Info) bool { return info.ID == text || info.Name == text },
		func(info sessions.Info) bool { return strings.HasPrefix(info.ID, text) },
		func(info sessions.Info) bool { return saysAll(info, text) },
	} {
		for _, info := range list {
			if matches(info) {
				found = append(found, info)
			}
		}
		if len(found) > 0 {
			break
		}
	}
	switch {
	case len(found) == 0 || strings.TrimSpace(text) == "":
		return sessions.Info{}, notCalled(text)
	case len(found) == 1:
		return found[0], nil
	}
	var lines strings.Builder
	for _, info := range found[:min(len(found), 5)] {
		fmt.Fprintf(&lines, "\n  %s  %s", info.ID, termsafe.Line(info.Called()))
	}
	return sessions.Info{}, fmt.Errorf("%d conversations fit %q; give the id of one:%s", len(found), text, lines.String())
}

// saysAll says whether each word is in the title, the name or the directory.
func saysAll(info sessions.Info, words string) bool {
	return hasAll(strings.Join([]string{info.Title, info.First, info.Name, filepath.Base(info.Dir)}, " "), words)
}

// hasAll says whether each word is in a text, without regard to case.
func hasAll(text, words string) bool {
	text = strings.ToLower(text)
	for _, word := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
