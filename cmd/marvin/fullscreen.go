package main

import (
	"context"
	"io"
	"strings"
	"sync"

	"marvin/providers"
	"marvin/ui"
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
	return terminal.Run(ctx, tui.Config{
		Client: client, First: first, Now: parts.world.Now, Lines: lines,
		History: parts.sent(),
		NoColor: parts.world.Getenv("NO_COLOR") != "",
		Edit:    editor{parts.world}.edit,
		Emoji: func(name string) string {
			provider, err := providers.Lookup(name)
			if err != nil {
				return "🤖"
			}
			return provider.Emoji
		},
	})
}

// sentEntries is how far back in the chat log prompts are looked for.
const sentEntries = 400

// sent is what the person asked in earlier conversations, oldest first. A log that
// cannot be read is reported by the conversation, which reads it too.
func (p *parts) sent() []string {
	entries, _ := p.config.Home.Profile(p.profile).ChatTail(sentEntries)
	var sent []string
	for _, entry := range entries {
		if entry.Role == "you" {
			sent = append(sent, entry.Text)
		}
	}
	return sent
}

// aside is standard error, which while the screen is full goes to the transcript: a
// warning in the middle of it would be overwritten, and shift everything.
type aside struct {
	out   io.Writer
	mutex sync.Mutex
	lines chan string // nil while lines go to out
}

// asideLines is how many lines wait for the screen; more are dropped, since whoever
// writes them must not wait.
const asideLines = 64

func (a *aside) Write(text []byte) (int, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.lines == nil {
		return a.out.Write(text)
	}
	select {
	case a.lines <- strings.TrimRight(string(text), "\n"):
	default:
	}
	return len(text), nil
}

func (a *aside) begin() <-chan string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.lines = make(chan string, asideLines)
	return a.lines
}

// end gives what nobody saw to standard error.
func (a *aside) end() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for len(a.lines) > 0 {
		io.WriteString(a.out, <-a.lines+"\n")
	}
	a.lines = nil
}
