package talk

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"slices"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/live"
	"marvin/messages"
	"marvin/persistence/sessions"
	"marvin/ui/door"
	"marvin/ui/termsafe"
)

// Join opens a window on a conversation that another process holds.
func Join(ctx context.Context, world cli.World, opts cli.Options, entry door.Entry, wish Joining, stderr *cli.TranscriptWriter) error {
	if opts.WorkingDir == "" && cli.IsDir(entry.Dir) {
		opts.Left.Start = entry.Dir
	}
	parts, err := app.New(world, opts)
	if err != nil {
		return err
	}
	defer parts.Close()
	parts.Attached = true
	client, err := door.Dial(ctx, entry.Path, cli.WindowName(world), wish.Role)
	if err != nil {
		return err
	}
	defer client.Close()
	parts.Reading.Begin(parts)
	system := parts.Start()
	ctx, stop := signal.NotifyContext(ctx, cli.HangUp)
	defer stop()
	err = errors.Join(converse(ctx, parts, client, wish.first, stderr), system.Stop())
	if cli.Terminal(world.Stdout) && err == nil {
		sayRuns(world, entry, client.Over())
	}
	return err
}

// Joining is the set of options for [Join].
type Joining struct {
	Role  messages.WindowRole
	first string // the first prompt
}

// runsElsewhere returns the entry of the conversation that the options select. It returns false if
// no other process runs this conversation, or if windows cannot connect to the conversation. err is
// the error from opening the stored conversation.
func runsElsewhere(ctx context.Context, world cli.World, opts cli.Options, err error) (door.Entry, bool) {
	var busy *sessions.BusyError
	if !errors.As(err, &busy) || !opts.Continue && opts.Resume == nil && opts.Session == "" {
		return door.Entry{}, false
	}
	all, err := cli.LiveSessions(ctx, world)
	if err != nil {
		return door.Entry{}, false
	}
	at := slices.IndexFunc(all, func(one door.Entry) bool { return one.ID == busy.ID })
	if at < 0 {
		return door.Entry{}, false
	}
	cli.ReportConversation(world, fmt.Sprintf("Attached: the conversation is live in another Marvin (process %d), and this is one more window on it. Closing this window does not end the conversation.", all[at].Process))
	return all[at], true
}

func ShowLive(world cli.World, opts cli.Options, all []door.Entry) error {
	if opts.Output == "json" {
		return cli.WriteLine(world, live.List(all))
	}
	_, err := fmt.Fprint(world.Stdout, live.Table(all, world.Now()))
	if err != nil {
		return cli.OutputError(err)
	}
	return nil
}

// sayRuns tells the user whether the conversation is still running. The window has closed, so the
// messages in the window are no longer visible.
func sayRuns(w cli.World, entry door.Entry, over bool) {
	ctx, cancel := context.WithTimeout(context.Background(), cli.LiveTimeout)
	defer cancel()
	if _, err := door.Status(ctx, entry.Path); err == nil && !over {
		fmt.Fprintf(w.Stderr, "The conversation continues. To open a window on it, run marvin attach %s; to end it, run marvin stop %[1]s.\n", termsafe.Line(entry.ID))
		return
	}
	fmt.Fprintln(w.Stderr, "The conversation or its process has ended."+entry.Resume())
}
