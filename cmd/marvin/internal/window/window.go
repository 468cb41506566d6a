package window

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/term"

	"marvin/actors"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/host"
	"marvin/cmd/marvin/internal/live"
	"marvin/cmd/marvin/internal/phone"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/ntfy"
	"marvin/tools/undo"
	"marvin/ui"
	"marvin/ui/command"
	"marvin/ui/door"
	"marvin/ui/rpc"
	"marvin/ui/slash"
)

const (
	// parksAfter is the default result of [parkTime].
	parksAfter = 15 * time.Minute
	// frameTime is the delay between the first frame and the call to [liveTalk.open].
	frameTime = 100 * time.Millisecond
)

// liveTalk is a conversation that can continue without its terminal. It implements [ui.Client] for
// the first front end.
type liveTalk struct {
	*actors.Client
	parts    *app.App
	Person   bool        // a user sits at a terminal
	Gone     atomic.Bool // the terminal is closed or detached
	detached atomic.Bool // the user detached the terminal
	first    atomic.Bool // the front end has received its first events
	shows    sync.Once
	shown    chan struct{}
	alone    chan struct{} // closed by RunAlone
	opened   chan struct{} // closed when open() has returned or the conversation has ended
	door     *door.Door
	shut     error // the error from door.Open
}

// Hold starts a conversation. After the first frame, windows of other processes can join the
// conversation.
func Hold(p *app.App, begin actors.Conversation) (*liveTalk, error) {
	begin.SeveralWindows = true
	client, err := p.System.Open(begin)
	if err != nil {
		return nil, err
	}
	h := &liveTalk{Client: client, parts: p, Person: cli.Terminal(p.World.Stdin), shown: make(chan struct{}), alone: make(chan struct{}), opened: make(chan struct{})}
	h.door = &door.Door{Host: doorHost{h}, Serve: h.serve}
	p.Detach, p.Talking = h.detach, func() string { return client.Live().ID }
	h.phone()
	go func() {
		defer close(h.opened)
		select {
		case <-h.shown:
		case <-h.Done():
			return
		}
		select {
		case <-time.After(frameTime):
			h.open()
		case <-h.alone:
			h.open()
		case <-h.Done():
		}
	}()
	return h, nil
}

// phone starts a goroutine that forwards questions to ntfy, if Settings.Answers is "ntfy".
func (h *liveTalk) phone() {
	if h.parts.Settings.Answers != "ntfy" {
		return
	}
	window, err := h.Window("your phone", messages.RoleAnswer, true)
	if err != nil {
		return // the conversation is over
	}
	one := &phone.Phone{Service: ntfy.New(h.parts.Client, h.parts.Config.Home), Profile: h.parts.Profile, Undoable: h.undoable, Log: h.parts.Config.Log}
	go one.Follow(context.Background(), window) // the goroutine ends with the conversation
}

// undoable is true if the effect of answering yes can be undone.
func (h *liveTalk) undoable(asked messages.Asked) bool {
	switch {
	case asked.Kind == messages.AskChoice:
		return true
	case asked.Kind != messages.AskConsent || asked.Host != "" || undo.IsIrreversible(asked.Tool):
		return false
	}
	tool, known := h.parts.Config.Tools.Snapshot().Lookup(asked.Tool)
	return known && (tool.Effect == tools.Writes || tool.Effect == tools.Reads)
}

// open lets further windows join. An error is logged and stored in h.shut.
func (h *liveTalk) open() {
	err := h.door.Open(h.parts.World.DoorPlace())
	if err != nil {
		h.parts.Config.Log.Warn("further windows cannot join this conversation", "error", err.Error())
	}
	h.shut = err
}

// reachable waits for h.opened, and returns an error if h.door could not be opened.
func (h *liveTalk) reachable() error {
	h.SignalShown()
	<-h.opened
	if h.shut != nil {
		return fmt.Errorf("no window could reach the conversation: %w", h.shut)
	}
	return nil
}

// CloseDoor disconnects the windows of all other processes, and accepts no new windows.
func (h *liveTalk) CloseDoor() {
	<-h.opened
	h.door.Close()
}

// Next implements [ui.Client].
func (h *liveTalk) Next(ctx context.Context) ([]messages.Envelope, error) {
	if h.first.Swap(true) {
		h.SignalShown() // a repeated call means that the first events have been drawn
	}
	return h.Client.Next(ctx)
}

// SignalShown ends the wait for the first frame, so that further windows can join.
func (h *liveTalk) SignalShown() { h.shows.Do(func() { close(h.shown) }) }

// Send implements [ui.Client]. If the terminal is gone, [messages.Quit] only detaches the front
// end, and the conversation continues.
func (h *liveTalk) Send(op messages.Op) {
	if _, quits := op.(messages.Quit); quits && (h.Gone.Load() || h.Person && hungUp(h.parts.World.Stdin)) {
		h.Gone.Store(true)
		h.Leave()
		return
	}
	h.Client.Send(op)
}

// hungUp reports whether a terminal is closed.
func hungUp(stdin *os.File) bool {
	_, err := term.GetState(int(stdin.Fd()))
	return err != nil
}

// UntilHangUp returns a context that is canceled when the terminal is closed.
func (h *liveTalk) UntilHangUp(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, leave := context.WithCancel(ctx)
	hangUps := make(chan os.Signal, 1)
	// signal.Stop is never called, so that another SIGHUP does not end the process.
	signal.Notify(hangUps, syscall.SIGHUP)
	go func() {
		select {
		case <-hangUps:
			h.Gone.Store(true)
			leave()
		case <-ctx.Done():
		}
	}()
	return ctx, leave
}

// detach declares that the terminal is detached. The conversation continues without it.
func (h *liveTalk) detach() error {
	if err := h.reachable(); err != nil {
		return err
	}
	h.Gone.Store(true)
	h.detached.Store(true)
	return nil
}

// GoOn continues the conversation without its window. It returns when the conversation has ended or
// has been idle for long enough.
func (h *liveTalk) GoOn(ctx context.Context, stderr *cli.TranscriptWriter) error {
	working, idle := func() bool { return false }, time.Duration(0) // by default, an idle conversation ends at once
	// True if a SIGHUP arrived but the terminal is still open.
	here := h.Person && !h.detached.Load() && !hungUp(h.parts.World.Stdin)
	if h.Person {
		if !here && h.reachable() == nil {
			working, idle = h.works, parkTime(h.parts)
		}
		if here && h.Live().State != messages.LiveWorking && h.Live().State != messages.LiveWaiting {
			live.End(h.Client)
			h.parts.SayLeft()
			return nil
		}
		if h.detached.Load() {
			fmt.Fprintf(h.parts.World.Stderr, "The conversation continues without a window. To open one, run marvin attach %s; to end the conversation, run marvin stop %[1]s.\n", h.id())
		}
		if err := h.letGo(stderr.Discard()); err != nil {
			h.parts.Config.Log.Warn("the terminal could not be released", "error", err.Error())
		}
	}
	live.Hold(ctx, h.Client, working, idle, h.parts.World.Now)
	if !h.Person {
		h.parts.SayLeft()
	}
	return nil
}

// letGo releases the terminal. If the terminal is still open, the shell gets it back.
func (h *liveTalk) letGo(stderr any) error {
	var files []*os.File
	for _, stream := range []any{h.parts.World.Stdin, cli.Unwrapped(h.parts.World.Stdout), stderr} {
		if file, is := stream.(*os.File); is && file != nil && (hungUp(file) || cli.Terminal(file)) {
			files = append(files, file)
		}
	}
	if !hungUp(h.parts.World.Stdin) {
		if err := live.StopToBackground(h.parts.World.Environ); err != nil {
			return errors.Join(err, live.ReleaseTerminal(files...))
		}
	}
	return live.ReleaseTerminal(files...)
}

func (h *liveTalk) works() bool { return host.JobTable{Parts: h.parts}.Running(h.Live().Dir) > 0 }

func (h *liveTalk) id() string {
	if id := h.Live().ID; id != "" {
		return id
	}
	return door.Unkept(os.Getpid())
}

// parkTime returns how long a conversation without a window stays in memory while it is idle.
func parkTime(p *app.App) time.Duration {
	if text := p.World.Getenv("MARVIN_PARK_AFTER"); text != "" {
		if idle, err := time.ParseDuration(text); err == nil && idle > 0 {
			return idle
		}
		p.Config.Log.Warn("MARVIN_PARK_AFTER is not a duration such as 90s or 5m", "value", text)
	}
	if minutes := p.Settings.ParkMinutes; minutes > 0 {
		return time.Duration(minutes) * time.Minute
	}
	return parksAfter
}

// doorHost implements [door.Host] for the conversation.
type doorHost struct{ *liveTalk }

// Live implements [door.Host]. If the conversation has no working directory, the result contains
// the value of --working-dir or the directory of the resumed conversation. If there is neither, the
// result contains the directory in which Marvin was started.
func (h doorHost) Live() messages.Live {
	told := h.Client.Live()
	told.Dir = cmp.Or(told.Dir, h.parts.Dir, h.parts.World.Dir)
	return told
}

// Enter implements [door.Host].
func (h doorHost) Enter(name string, role messages.WindowRole) (door.Window, error) {
	return h.Window(name, role, false)
}

// Complete implements [door.Host].
func (h doorHost) Complete(text string) door.Completions {
	head, line := "", text
	if at := strings.LastIndexByte(text, '\n'); at >= 0 {
		head, line = text[:at], text[at+1:]
	}
	at := strings.LastIndexByte(line, ' ') + 1
	before, word := line[:at], line[at:]
	kind, mark := slash.KindOfWord(before, word, head == "")
	if kind == "" || kind == slash.KindTool { // the web page does not complete ordinary words
		return door.Completions{Word: word}
	}
	dir := h.Live().Dir
	items := host.Complete(h.parts, kind, dir, strings.TrimPrefix(word, mark))
	switch {
	case kind == slash.KindCommand:
		items = slash.Matching(append(slash.WithoutNotes(slash.Complete(word)), items...), word)
	case mark == "@" && len(items) == 0:
		items = host.Complete(h.parts, slash.KindFile, dir, strings.TrimPrefix(word, mark))
	}
	found := door.Completions{Word: word}
	for _, one := range items[:min(len(items), mostOnPage)] {
		if note, _ := slash.Find(one.Item); one.Note == "" && kind == slash.KindCommand {
			one.Note = note.Help
		}
		found.Items = append(found.Items, door.Completion{Item: mark + one.Item, Note: one.Note})
	}
	return found
}

// mostOnPage is the maximum number of completions on a page.
const mostOnPage = 50

// Stop implements [door.Host].
func (h doorHost) Stop() { h.Client.Send(messages.Quit{}) }

// serve executes the RPC server for another process's window.
func (h *liveTalk) serve(ctx context.Context, window ui.Client, wish door.WindowOptions, in io.Reader, out io.Writer) error {
	server := rpc.Server{
		Client: window, In: in, Out: out, Marvin: h.parts.World.Version, FromMarvin: true, Images: wish.Images,
		Picture: host.PictureHost{App: h.parts}.Check,
		Engine:  func(front command.Front) *command.Engine { return host.NewJoinedEngine(h.parts, window, front) },
	}
	if role := wish.Role; role != messages.RoleDrive {
		server.LineRefusal = "this window has the role " + string(role) + ", but you can send prompts only with the role \"drive\""
	}
	return server.Run(ctx)
}
