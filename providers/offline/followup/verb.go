package followup

import (
	"maps"
	"regexp"
	"slices"
	"sync"

	"marvin/providers/offline/lines"
)

// Verb is an action on a thing.
type Verb string

// The verbs.
const (
	Open   Verb = "open"
	Delete Verb = "delete"
	Move   Verb = "move"   // change the time
	Rename Verb = "rename" // change the name
)

// Call is a tool call that performs an action on a [Thing].
type Call struct {
	Tool string
	Args map[string]any
}

// act is the tool for a verb, with the names of two parameters: one identifies the item to change,
// and the other is the new time or name.
type act struct{ tool, parameter, value string }

// verbs contains the possible actions for each kind of thing.
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

// hourOnly matches a duration, or a time of day with no date.
var hourOnly = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:\d{1,2}(?:[:.h]\d{2}|h)?(?: ?[ap]\.?m\.?| uhr| heures?)?|\d+[smh].*|noon|midnight|mittag|mitternacht|midi|minuit|halb \w+)$`)
})

// To move an alarm or a timer, Marvin calls this tool again with a new value for the time
// parameter.
var again = map[Kind]struct{ tool, time string }{Alarm: {"set_alarm", "time"}, Timer: {"timer_start", "duration"}}

// CallsFor returns the calls that perform an action on the thing, in order. A new alarm is set
// before the old one is canceled, so that no alarm is lost if a call fails.
func (t Thing) CallsFor(verb Verb, value string) []Call {
	if t.Kind == File {
		return t.file(verb, value)
	}
	if t.Kind == Commit && verb == Open {
		return []Call{{"run_command", map[string]any{"command": "git show --stat " + t.Name}}}
	}
	if renewed, ok := again[t.Kind]; ok && verb == Move {
		args := maps.Clone(t.Of)
		if args == nil {
			return nil // the original arguments are unknown
		}
		if was := text(t.Of, renewed.time); t.Day != "" && hourOnly().MatchString(value) && !hourOnly().MatchString(was) {
			value = t.Day + " " + value
		}
		args[renewed.time] = value
		if t.Kind == Timer { // two timers with the same name cannot run at the same time
			return append(t.CallsFor(Delete, ""), Call{renewed.tool, args})
		}
		return append([]Call{{renewed.tool, args}}, t.CallsFor(Delete, "")...)
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

// acceptingParameters lists, for each kind of thing, the parameters that accept such a thing.
var acceptingParameters = map[Kind][]string{
	File: {"path", "file", "files", "command"}, Note: {"filename"}, Alarm: {"label"}, Timer: {"name"}, Event: {"title"}, Bookmark: {"url"},
	Page: {"url"}, Place: {"label", "location", "place", "origin", "destination"}, Ticket: {"ticket_id"}, Branch: {"target"}, Movie: {"title"}, Spot: {"location", "place", "origin", "destination"},
}

// Takes reports whether a parameter accepts the thing.
func (t Thing) Takes(parameter string) bool {
	return slices.Contains(acceptingParameters[t.Kind], parameter)
}

// FirstOfTwo reports whether [Thing.CallsFor] can return two calls, the first to this tool.
func FirstOfTwo(tool string) bool {
	return tool == again[Alarm].tool || tool == verbs[Timer][Delete].tool
}
