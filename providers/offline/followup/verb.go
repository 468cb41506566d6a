package followup

import (
	"maps"
	"regexp"
	"sync"

	"marvin/providers/offline/lines"
)

// Verb is what a request wants done with a thing.
type Verb string

// The verbs.
const (
	Open   Verb = "open"
	Delete Verb = "delete"
	Move   Verb = "move"   // to another time
	Rename Verb = "rename" // to another name
)

// Call is a call that a request means.
type Call struct {
	Tool string
	Args map[string]any
}

// act is the tool that does a verb: parameter takes the thing, and value what it becomes.
type act struct{ tool, parameter, value string }

// verbs say what can be done with each kind of thing.
var verbs = map[Kind]map[Verb]act{
	Note:     {Open: {"read_note", "filename", ""}, Delete: {"remove_note", "filename", ""}, Rename: {"move_note", "filename", "to"}},
	Alarm:    {Open: {"list_alarms", "", ""}, Delete: {"cancel_alarm", "label", ""}},
	Timer:    {Open: {"timer_check", "name", ""}, Delete: {"timer_stop", "name", ""}},
	Event:    {Delete: {"calendar_delete_event", "title", ""}, Move: {"calendar_change_event", "title", "start"}, Rename: {"calendar_change_event", "title", "new_title"}},
	Bookmark: {Open: {"browse_web", "url", ""}, Delete: {"bookmark_remove", "url", ""}, Rename: {"bookmark_change", "url", "title"}},
	Page:     {Open: {"browse_web", "url", ""}},
	Place:    {Open: {"list_places", "", ""}, Delete: {"remove_place", "label", ""}},
	Ticket:   {Open: {"ticket_show", "ticket_id", ""}, Delete: {"ticket_close", "ticket_id", ""}},
	Branch:   {Open: {"git_checkout", "target", ""}},
	Movie:    {Open: {"get_movie_details", "imdb_id", ""}},
}

// hourOnly is a time, or a length of time, that says no day.
var hourOnly = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:\d{1,2}(?:[:.h]\d{2}|h)?(?: ?[ap]\.?m\.?| uhr| heures?)?|\d+[smh].*|noon|midnight|mittag|mitternacht|midi|minuit|halb \w+)$`)
})

// again are the calls that make a thing once more, with another time.
var again = map[Kind]struct{ tool, time string }{Alarm: {"set_alarm", "time"}, Timer: {"timer_start", "duration"}}

// Do are the calls that do a verb with a thing, one after the other. The first call makes
// the new thing: if it fails, the old thing is still there.
func (t Thing) Do(verb Verb, value string) []Call {
	if t.Kind == File {
		return t.file(verb, value)
	}
	if t.Kind == Commit && verb == Open {
		return []Call{{"run_command", map[string]any{"command": "git show --stat " + t.Name}}}
	}
	if renewed, ok := again[t.Kind]; ok && verb == Move {
		args := maps.Clone(t.Of)
		if args == nil {
			return nil // what it says is not known
		}
		if was := text(t.Of, renewed.time); t.Day != "" && hourOnly().MatchString(value) && !hourOnly().MatchString(was) {
			value = t.Day + " " + value
		}
		args[renewed.time] = value
		if t.Kind == Timer { // two of one name cannot run
			return append(t.Do(Delete, ""), Call{renewed.tool, args})
		}
		return append([]Call{{renewed.tool, args}}, t.Do(Delete, "")...)
	}
	act, ok := verbs[t.Kind][verb]
	if !ok {
		return nil
	}
	args := map[string]any{}
	if act.parameter != "" {
		args[act.parameter] = t.Name
	}
	if t.Key != "" {
		args = map[string]any{t.Key: t.Name}
	}
	if act.value != "" {
		args[act.value] = value
	}
	return []Call{{act.tool, args}}
}

func (t Thing) file(verb Verb, value string) []Call {
	switch verb {
	case Open:
		return []Call{{"read_file", map[string]any{"path": t.Name}}}
	case Delete:
		return []Call{{"run_command", map[string]any{"command": lines.Delete(t.Name)}}}
	case Rename:
		return []Call{{"run_command", map[string]any{"command": lines.Rename(t.Name, value)}}}
	}
	return nil
}

// taking are the parameters in which a thing of a kind can stand.
var taking = map[Kind][]string{
	File: {"path", "file", "files", "command"}, Note: {"filename"}, Alarm: {"label"}, Timer: {"name"}, Event: {"title"}, Bookmark: {"url"},
	Page: {"url"}, Place: {"label", "location", "place", "origin", "destination"}, Ticket: {"ticket_id"}, Branch: {"target"}, Movie: {"title"}, Spot: {"location", "place", "origin", "destination"},
}

// Takes says that a parameter can take the thing.
func (t Thing) Takes(parameter string) bool {
	for _, name := range taking[t.Kind] {
		if name == parameter {
			return true
		}
	}
	return false
}

// Parted says that a tool may be one of several calls of a request.
func Parted(tool string) bool {
	return tool == again[Alarm].tool || tool == verbs[Timer][Delete].tool
}
