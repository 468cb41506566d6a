package main

import (
	"context"
	"errors"
	"fmt"
	"os/signal"
	"slices"

	"marvin/cmd/marvin/internal/live"
	"marvin/messages"
	"marvin/persistence/sessions"
	"marvin/ui/door"
	"marvin/ui/termsafe"
)

// join opens a window on a conversation that another process holds.
func join(ctx context.Context, world World, opts options, entry door.Entry, wish joining, stderr *aside) error {
	if opts.WorkingDir == "" && isDir(entry.Dir) {
		opts.left.dir = entry.Dir
	}
	parts, err := wire(world, opts)
	if err != nil {
		return err
	}
	defer parts.close()
	parts.attached = true
	client, err := door.Dial(ctx, entry.Path, windowName(world), wish.role)
	if err != nil {
		return err
	}
	defer client.Close()
	parts.reading.begin(parts)
	system := parts.start()
	ctx, stop := signal.NotifyContext(ctx, hangUp)
	defer stop()
	err = errors.Join(converse(ctx, parts, client, wish.first, stderr), system.Stop())
	if terminal(world.Stdout) && err == nil {
		sayRuns(world, entry)
	}
	return err
}

// joining says how a window is opened.
type joining struct {
	role  messages.WindowRole
	first string // a prompt to begin with
}

// runsElsewhere finds the process that holds the conversation which the options mean, if
// another one does and takes windows.
func runsElsewhere(ctx context.Context, world World, opts options, err error) (door.Entry, bool) {
	var busy *sessions.BusyError
	if !errors.As(err, &busy) || !opts.Continue && opts.Resume == nil && opts.Session == "" {
		return door.Entry{}, false
	}
	all, err := liveNow(ctx, world)
	if err != nil {
		return door.Entry{}, false
	}
	at := slices.IndexFunc(all, func(one door.Entry) bool { return one.ID == busy.ID })
	if at < 0 {
		return door.Entry{}, false
	}
	sayOf(world, fmt.Sprintf("Attached: the conversation is live in another Marvin (process %d), and this is one more window on it. Closing this window does not end it.", all[at].Process))
	return all[at], true
}

func showLive(world World, opts options, all []door.Entry) error {
	if opts.Output == "json" {
		return writeLine(world, live.List(all))
	}
	_, err := fmt.Fprint(world.Stdout, live.Table(all, world.Now()))
	if err != nil {
		return unwritten(err)
	}
	return nil
}

// sayRuns reports whether a conversation continues after its window closed.
func sayRuns(w World, entry door.Entry) {
	ctx, cancel := context.WithTimeout(context.Background(), answersWithin)
	defer cancel()
	if _, err := door.Status(ctx, entry.Path); err == nil {
		fmt.Fprintf(w.Stderr, "The conversation goes on. marvin attach %s opens a window on it; marvin stop %[1]s ends it.\n", termsafe.Line(entry.ID))
	}
}
