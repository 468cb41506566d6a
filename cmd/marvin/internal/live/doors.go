package live

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/ui/door"
	"marvin/ui/termsafe"
)

// CheckDoors checks the directory that holds the sockets of live conversations, and removes the
// sockets of processes that have ended. If there is a problem, remedy tells the user how to solve
// it.
func CheckDoors(ctx context.Context, dir string) (state string, good bool, remedy string) {
	_, err := os.Lstat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return describeCount(0), true, ""
	case err == nil:
		err = door.Private(dir)
	}
	if err != nil {
		return "other windows cannot join conversations: " + err.Error(), false, ""
	}
	before := door.Sockets(dir)
	all, silent, err := door.List(ctx, dir)
	if err != nil {
		return err.Error(), false, "make " + dir + " readable for you"
	}
	state = describeCount(len(all))
	if removed := before - door.Sockets(dir); removed > 0 {
		state += ", removed " + messages.Counted(removed, "socket") + " of ended processes"
	}
	if len(silent) == 0 {
		return state, true, ""
	}
	names := lists.Map(silent, termsafe.Line)
	return fmt.Sprintf("%s; no answer from %s", state, strings.Join(names, ", ")), false,
		"end that process (the socket's name contains the process number) or wait; if the process does not belong to Marvin, remove the socket"
}

func describeCount(live int) string {
	if live == 0 {
		return "no conversation is live"
	}
	return messages.Counted(live, "live conversation")
}
