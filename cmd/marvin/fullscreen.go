package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"marvin/persistence"
	"marvin/ui"
	"marvin/ui/command"
	"marvin/ui/tui"
)

// wantsFullScreen says whether a person sits at a terminal that can be drawn on and
// did not ask for lines.
func wantsFullScreen(world World, opts options) bool {
	kind := world.Getenv("TERM")
	return !opts.Plain && kind != "" && kind != "dumb" && world.Getenv("ACCESSIBLE") != "1" &&
		terminal(world.Stdin) && terminal(world.Stdout)
}

// fullScreen talks on the whole terminal.
func fullScreen(ctx context.Context, terminal *tui.Terminal, client ui.Client, parts *parts, first string, aside *aside) error {
	lines := aside.begin()
	defer aside.end()
	aside.repeat()
	draft, unsent, err := parts.config.Home.Profile(parts.profile).OpenDraft()
	if err != nil {
		fmt.Fprintln(aside, "warning:", err)
	}
	defer func() { _ = draft.Close() }() // what it keeps is written by Save
	world := parts.world
	return terminal.Run(ctx, tui.Config{
		Client: client, First: first, Now: world.Now, Lines: lines,
		Engine: func(front command.Front) *command.Engine { return engineOf(parts, client, front) },
		Inputs: func(profile string) []string { return inputsOf(parts, profile) },
		Place:  func(dir string) string { return placeOf(parts, dir) },
		Jobs:   jobTable{parts}.running,
		Status: parts.settings.Status,
		Input:  func(profile string, text string) { addInput(parts, profile, text) },
		Looks:  looks(world, parts.settings),
		Vim:    parts.settings.Editing == "vim",
		Keys:   parts.settings.Keys, Edit: editor{world}.edit, Copy: func(text string) (string, error) { return copyText(parts, text) }, Complete: func(kind command.Kind, dir string, prefix string) []command.Completion {
			return complete(parts, kind, dir, prefix)
		},
		Unsent: tui.Unsent(unsent), Save: func(unsent tui.Unsent) error { return draft.Save(persistence.Unsent(unsent)) },
		Notify: notifies(parts.settings.Notify, world.Getenv("TERM_PROGRAM")), Scroll: scrolls(world.Getenv("TERM")),
		Images: images(world, parts.settings.Images),
	})
}

// notifies is how a user who looks away is notified: as configured, with text if the terminal is
// known to show it, otherwise by the bell.
func notifies(chosen, program string) string {
	if chosen != "" {
		return chosen
	}
	switch program {
	case "iTerm.app", "WezTerm", "ghostty":
		return "osc9"
	}
	return "bell"
}

// scrolls says whether terminals of a kind move rows when a scroll region says so. All
// that descend from the VT100 do.
func scrolls(kind string) bool {
	for _, known := range []string{"xterm", "tmux", "screen", "linux", "vt", "rxvt", "alacritty", "foot", "kitty", "wezterm", "ghostty", "st", "konsole", "gnome"} {
		if strings.HasPrefix(kind, known) {
			return true
		}
	}
	return false
}

// aside is standard error, which while the screen is full goes to the transcript: a
// warning in the middle of it would be overwritten, and shift everything.
type aside struct {
	out   io.Writer
	mutex sync.Mutex
	lines chan string // nil while lines go to out
	early []string    // what went to out and is said again: the full screen hides it
}

// asideLines is how many lines wait for the screen; more are dropped, because their writers must
// not wait.
const asideLines = 64

func (a *aside) Write(text []byte) (int, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.lines == nil {
		if strings.HasPrefix(string(text), "warning:") {
			a.early = append(a.early, string(text))
		}
		return a.out.Write(text)
	}
	select {
	case a.lines <- strings.TrimRight(string(text), "\n"):
	default:
	}
	return len(text), nil
}

// discard drops all later output, because the terminal is gone. It returns the underlying writer.
func (a *aside) discard() any {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	out := steered(a.out)
	a.out = io.Discard
	return out
}

func (a *aside) begin() <-chan string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.lines = make(chan string, asideLines)
	return a.lines
}

// sayOf says which conversation continues, on the full screen too.
func sayOf(world World, text string) {
	if aside, ok := world.Stderr.(*aside); ok {
		aside.mutex.Lock()
		aside.early = append(aside.early, text)
		aside.mutex.Unlock()
	}
	fmt.Fprintln(world.Stderr, text)
}

// repeat says the warnings of the start again, for a screen that covers them: a setting
// that does not hold must not be found out when the person leaves.
func (a *aside) repeat() {
	a.mutex.Lock()
	early := a.early
	a.early = nil
	a.mutex.Unlock()
	for _, text := range early {
		_, _ = a.Write([]byte(text)) // it keeps what it cannot show
	}
}

// end writes unseen lines to standard error.
func (a *aside) end() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for len(a.lines) > 0 {
		io.WriteString(a.out, <-a.lines+"\n")
	}
	a.lines = nil
}
