package host

import (
	"strings"
	"testing"

	"marvin/actors"
)

func TestServerStatusLine(t *testing.T) {
	many := strings.Split("a b c d e f", " ")
	for want, state := range map[string]actors.ServerState{
		"s: off":                       {State: actors.ServerOff},
		"s: off, 2 tools":              {State: actors.ServerOff, Looked: true, Tools: 2},
		"s: runs, not checked yet":     {State: "runs"},
		"s: not started, 1 tool":       {State: actors.ServerNotStarted, Looked: true, Tools: 1},
		"s: runs, 0 tools\n  it broke": {State: "runs", Looked: true, Err: "it broke"},
		"s: runs, 6 tools, not approved in their current form: a, b, c, d, e (read them with /mcp tools s, approve them with /mcp approve s)": {State: "runs", Looked: true, Tools: 6, Unapproved: many},
		"s: runs, 6 tools, not approved in their current form: a (read them with /mcp tools s, approve them with /mcp approve s)":             {State: "runs", Looked: true, Tools: 6, Unapproved: many[:1]},
	} {
		state.Name = "s"
		if got := serverText(state); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
