package sessions

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
	"marvin/cmd/marvin/internal/cli"
	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/projects"
	"marvin/persistence/sessions"
	"marvin/tools"
	"marvin/ui/termsafe"
)

// Conversations finds the conversation that the options name.
type Conversations struct {
	Home  *persistence.Home
	World cli.World
	Opts  cli.StorageOptions
	Dir   string
}

// StoredSession opens the storage of a new or continued conversation. If the conversation is
// continued, StoredSession copies the earlier state into the options. It returns nil if the
// conversation is not to be stored.
func StoredSession(world cli.World, opts *cli.Options, person bool) (*actors.StoredSession, error) {
	if opts.NoSession || !person && !opts.SelectsConversation() {
		return nil, nil
	}
	home := cli.OpenHome(world)
	if sessions.New(home).Dir() == "" {
		if opts.SelectsConversation() {
			return nil, persistence.ErrNoHome
		}
		return nil, nil
	}
	dir, err := cli.WorkingDir(world, *opts)
	if err != nil {
		return nil, err
	}
	from := Conversations{Home: home, World: world, Opts: opts.StorageOptions, Dir: dir}
	opts.Choosing = !opts.Looking && opts.Resume != nil && *opts.Resume == "" && cli.WantsFullScreen(world, *opts)
	id, err := "", error(nil)
	if !opts.Choosing { // opts.Choosing lets the user select a conversation on the full screen
		id, err = from.find(person)
	}
	if err != nil {
		return nil, err
	}
	var name *sessions.Reservation
	if id == "" && opts.Session != "" && !opts.Looking {
		if name, err = sessions.New(home).Reserve(string(opts.Session)); err != nil {
			return nil, err
		}
		// Another process might have created the conversation since the first search.
		if id, err = from.find(person); err != nil {
			return nil, errors.Join(err, name.Release())
		}
	}
	if id == "" {
		profile, _ := home.LastProfile() // app.New reports errors
		return actors.StoreSession(home, sessions.Header{Dir: dir, Profile: profile}, string(opts.Session), from.terminal()).Reserve(name), nil
	}
	if err := name.Release(); err != nil {
		return nil, err
	}
	var kept *actors.StoredSession
	if opts.Looking {
		kept, err = actors.Look(home, id)
	} else {
		kept, err = actors.Resume(home, id, from.terminal())
	}
	if err != nil {
		return nil, err
	}
	opts.TakeUp(kept, world, dir)
	return kept, nil
}

// StoreAnswer returns the storage for a headless run. A later run can continue that run with
// --continue, but Marvin keeps only the last few runs of each directory. If nothing can be stored,
// StoreAnswer returns nil.
func StoreAnswer(world cli.World, opts cli.Options) *actors.StoredSession {
	home := cli.OpenHome(world)
	dir, err := cli.WorkingDir(world, opts)
	readOnly, problem := tools.ReadOnly(world.Environ)
	if sessions.New(home).Dir() == "" || readOnly || err != nil || problem != nil {
		return nil
	}
	profile, _ := home.LastProfile() // app.New reports problems
	from := Conversations{Home: home, World: world, Dir: dir}
	return actors.StoreAnswer(home, sessions.Header{Dir: dir, Profile: profile}, from.terminal())
}

// find returns the id of the conversation to continue, or "" for a new one.
func (c Conversations) find(person bool) (string, error) {
	sessions := sessions.New(c.Home)
	switch {
	case c.Opts.Fork != "":
		info, err := c.findNamed(string(c.Opts.Fork))
		if err != nil || c.Opts.Looking { // a read-only command uses the original
			return info.ID, err
		}
		return sessions.Fork(info.ID, 0)
	case c.Opts.Resume != nil && *c.Opts.Resume != "":
		info, err := c.Lookup(*c.Opts.Resume)
		return info.ID, err
	case c.Opts.Resume != nil:
		return c.choose(person)
	case c.Opts.Session != "":
		for _, info := range c.List() {
			if info.Name == string(c.Opts.Session) {
				return info.ID, nil
			}
		}
	case c.Opts.Continue:
		return c.lastID(person), nil
	}
	return "", nil
}

// List returns the stored conversations. It reports and skips unreadable conversations.
func (c Conversations) List() []sessions.Info {
	meter := cli.NewMeter(c.World, "Reading conversations")
	list, err := sessions.New(c.Home).Watch(meter.Step).List()
	meter.End()
	c.warn(err)
	return list
}

func (c Conversations) warn(err error) {
	if err != nil {
		fmt.Fprintln(c.World.Stderr, "warning:", err)
	}
}

// lastID returns the id that c.Latest selects from the conversations in c.Dir, or from the headless
// runs if there are no conversations. If person is false, lastID prefers a headless run that is
// newer than the conversations. If c.Opts.Looking is true, lastID ignores headless runs. If nothing
// is found, lastID returns "".
func (c Conversations) lastID(person bool) string {
	list, err := sessions.New(c.Home).ListOf(c.Dir)
	c.warn(err)
	id := c.Latest(list)
	if answers, _ := sessions.New(c.Home).Answers().ListOf(c.Dir); !c.Opts.Looking && len(answers) > 0 && (id == "" || !person && answers[0].Updated.After(list[0].Updated)) {
		if answer := c.Latest(answers); answer != "" && sessions.New(c.Home).Adopt(answer) == nil {
			return answer
		}
	}
	if named := c.World.Getenv("PWD"); id == "" && named != c.Dir && projects.RealDir(named) == c.Dir {
		// An older version of Marvin did not resolve symbolic links.
		list, err = sessions.New(c.Home).ListOf(named)
		c.warn(err)
		id = c.Latest(list)
	}
	if id == "" {
		cli.ReportConversation(c.World, fmt.Sprintf("There is no conversation in %s yet; a new one begins.", cmp.Or(c.Dir, "no directory")))
	}
	return id
}

// Latest returns the id of the first non-empty conversation in the list, or "" if all are empty. It
// prefers conversations whose last prompt came from this terminal. The list must begin with the
// most recent conversation.
func (c Conversations) Latest(list []sessions.Info) string {
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

// terminal returns an identifier of the user's terminal, or "" if no identifier is known.
func (c Conversations) terminal() string {
	for _, name := range []string{"TMUX_PANE", "WEZTERM_PANE", "KITTY_WINDOW_ID", "TERM_SESSION_ID", "STY"} {
		if value := c.World.Getenv(name); value != "" {
			return name + "=" + value
		}
	}
	if c.World.Stdin == nil || !cli.Terminal(c.World.Stdin) {
		return ""
	}
	path, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(int(c.World.Stdin.Fd())))
	if err != nil {
		return ""
	}
	return path
}

// findNamed finds a conversation by its id, a prefix of the id, its name, or words of its title.
func (c Conversations) findNamed(text string) (sessions.Info, error) {
	return namedIn(c.List(), text)
}

func namedIn(list []sessions.Info, text string) (sessions.Info, error) {
	var found []sessions.Info
	for _, matches := range []func(sessions.Info) bool{
		func(info sessions.Info) bool { return info.ID == text || info.Name == text },
		func(info sessions.Info) bool { return strings.HasPrefix(info.ID, text) },
		func(info sessions.Info) bool { return saysAll(info, text) },
	} {
		if found = lists.Filter(list, matches); len(found) > 0 {
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
		fmt.Fprintf(&lines, "\n  %s  %s", info.ID, termsafe.Line(info.DisplayName()))
	}
	return sessions.Info{}, fmt.Errorf("%d conversations match %q; give the id of one:%s", len(found), text, lines.String())
}

// saysAll reports whether the title, first prompt, name and directory together contain all of the
// words.
func saysAll(info sessions.Info, words string) bool {
	return hasAll(strings.Join([]string{info.Title, info.First, info.Name, filepath.Base(info.Dir)}, " "), words)
}

// hasAll reports whether text contains all of the given words, regardless of case.
func hasAll(text, words string) bool {
	text = strings.ToLower(text)
	for _, word := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
