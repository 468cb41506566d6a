package ui

import (
	"testing"
	"time"

	"marvin/messages"
)

func TestGrantLines(t *testing.T) {
	list, run, rm := messages.Grant{Number: 1, Covers: "git status"}, messages.Grant{Number: 2, Covers: "go test"}, messages.Grant{Number: 3, Covers: "rm one"}
	for _, row := range []struct {
		before, after []messages.Grant
		want          string
	}{
		{nil, nil, ""},
		{[]messages.Grant{list}, []messages.Grant{list}, ""},
		{nil, []messages.Grant{list}, "Marvin no longer asks about: git status (to undo this, type /permissions)"},
		{[]messages.Grant{list}, []messages.Grant{list, run, rm}, "Marvin no longer asks about: go test; rm one (to undo this, type /permissions)"},
		{[]messages.Grant{list, run}, nil, "Asked about again: git status; go test"},
		{[]messages.Grant{list, run}, []messages.Grant{rm, run}, "Marvin no longer asks about: rm one (to undo this, type /permissions)\nAsked about again: git status"},
		{[]messages.Grant{{Number: 1, Covers: "ls"}}, []messages.Grant{{Number: 4, Covers: "ls"}}, "Marvin no longer asks about: ls (to undo this, type /permissions)\nAsked about again: ls"},
	} {
		if got := GrantChange(row.before, row.after); got != row.want {
			t.Errorf("from %v to %v gets %q, want %q", row.before, row.after, got, row.want)
		}
	}
}

// A resumed conversation shows its title and where the rest of it is.
func TestResumeLines(t *testing.T) {
	left := time.Date(2026, 5, 12, 9, 3, 0, 0, time.Local)
	for _, row := range []struct {
		event messages.Resumed
		want  string
	}{
		{messages.Resumed{ID: "a", Title: "Tea", Turns: 1, Left: left}, "── Continued: Tea (1 turn, last on 12 May 09:03) ──"},
		{messages.Resumed{ID: "a", Title: "Tea", Left: left, Earlier: true}, "── Continued: Tea (no complete turn, last on 12 May 09:03) ──\nEarlier turns are not shown here; to print them all, run marvin sessions show a."},
		{messages.Resumed{ID: "a", Title: "Tea", Turns: 2, Left: left, From: "b"}, "── Continued: Tea (2 turns, last on 12 May 09:03) ──\nIt is a copy of b; /resume b continues the original."},
	} {
		if got := ResumedText(row.event); got != row.want {
			t.Errorf("%s\nwant\n%s", got, row.want)
		}
	}
	for again, want := range map[bool]string{
		true:  "── Asked again; the earlier answer is a branch (/tree) ──",
		false: "── The conversation is back at the point before this prompt. Edit the prompt and send it again. Later messages are kept as a branch (see /tree). Changes to files remain; /undo reverts them ──",
	} {
		if got := RewoundText(messages.Rewound{Again: again}); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}
