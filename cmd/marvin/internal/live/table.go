package live

import (
	"fmt"
	"strings"
	"time"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/ui/door"
	"marvin/ui/termsafe"
)

// ListedSession is a running conversation in JSON output, as documented in docs/windows.md.
type ListedSession struct {
	ID      string             `json:"id"`
	Title   string             `json:"title"`
	Dir     string             `json:"dir"`
	State   messages.LiveState `json:"state"`
	Since   time.Time          `json:"since"`
	Cost    float64            `json:"cost"`
	PID     int                `json:"pid"`
	Windows int                `json:"windows"`
}

// List converts entries for JSON output. It never returns nil.
func List(all []door.Entry) []ListedSession {
	list := make([]ListedSession, 0, len(all))
	for _, one := range all {
		list = append(list, ListedSession{ID: one.ID, Title: one.Title, Dir: one.Dir, State: one.State, Since: one.Since, Cost: one.Cost, PID: one.Process, Windows: one.Windows})
	}
	return list
}

// Table formats entries as text, one line per conversation.
func Table(all []door.Entry, now time.Time) string {
	if len(all) == 0 {
		return "No conversation is running. To begin one without a window, run marvin start \"PROMPT\".\n"
	}
	var text strings.Builder
	for _, one := range all {
		fmt.Fprintf(&text, "%s  %-7s %7s  $%.4f  %s  %s\n", termsafe.Line(one.ID), one.State, age(one.Since, now), one.Cost, termsafe.Line(one.Dir), termsafe.Line(one.Title))
	}
	return text.String()
}

func age(since, now time.Time) string {
	age := max(0, now.Sub(since))
	switch {
	case age < time.Minute:
		return fmt.Sprintf("%ds", int(age.Seconds()))
	case age < time.Hour:
		return fmt.Sprintf("%dm", int(age.Minutes()))
	case age < 48*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(age.Hours()), int(age.Minutes())%60)
	default:
		return fmt.Sprintf("%dd", int(age.Hours())/24)
	}
}

// Find returns the live conversation that the given word identifies. The word is an id, a process
// id, a prefix of an id, or part of a title. An empty word matches all conversations. The error is
// nil only if exactly one conversation matches.
func Find(all []door.Entry, word string) (door.Entry, error) {
	var found []door.Entry
	for _, matches := range []func(door.Entry) bool{
		func(one door.Entry) bool { return one.ID == word || fmt.Sprint(one.Process) == word },
		func(one door.Entry) bool { return strings.HasPrefix(one.ID, word) },
		func(one door.Entry) bool { return strings.Contains(strings.ToLower(one.Title), strings.ToLower(word)) },
	} {
		if found = lists.Filter(all, matches); len(found) > 0 {
			break
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(all) == 0 && word == "":
		return door.Entry{}, ErrNone
	case len(found) == 0:
		return door.Entry{}, NotLive(word)
	case word == "":
		return door.Entry{}, fmt.Errorf("%d conversations are running; say which one:\n%s", len(found), ids(found))
	}
	return door.Entry{}, fmt.Errorf("%d live conversations match %q; give the id of one:\n%s", len(found), word, ids(found))
}

func ids(all []door.Entry) string {
	var text strings.Builder
	for _, one := range all {
		fmt.Fprintf(&text, "  %s  %-7s  %s\n", termsafe.Line(one.ID), one.State, termsafe.Line(one.Title))
	}
	return strings.TrimRight(text.String(), "\n")
}
