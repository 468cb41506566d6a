package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"marvin/ui/door"
	"marvin/ui/termsafe"
)

// LiveSessions lists the running conversations.
func LiveSessions(ctx context.Context, w World) ([]door.Entry, error) {
	dir := w.DoorPlace()
	if err := door.Private(dir); errors.Is(err, os.ErrNotExist) {
		return nil, nil // none are running
	} else if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, LiveTimeout)
	defer cancel()
	all, silent, err := door.List(ctx, dir)
	for _, path := range silent {
		fmt.Fprintf(w.Stderr, "warning: the process behind %s does not answer\n", termsafe.Line(path))
	}
	return all, err
}

// LiveTimeout is how long [LiveSessions] waits for the processes to report their state.
const LiveTimeout = 5 * time.Second

// WindowName returns the name that other windows show for this terminal.
func WindowName(world World) string {
	if place, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", world.Stdin.Fd())); err == nil && Terminal(world.Stdin) {
		return "terminal " + strings.TrimPrefix(place, "/dev/")
	}
	return fmt.Sprintf("terminal of process %d", os.Getpid())
}
