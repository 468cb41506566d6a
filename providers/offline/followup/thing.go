package followup

import (
	"path"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"marvin/providers/offline/lines"
)

// Kind is the type of a [Thing], such as a file or an alarm.
type Kind string

// The kinds.
const (
	File     Kind = "file"
	Note     Kind = "note"
	Alarm    Kind = "alarm"
	Timer    Kind = "timer"
	Event    Kind = "event"
	Bookmark Kind = "bookmark"
	Page     Kind = "page"
	Place    Kind = "place"
	Ticket   Kind = "ticket"
	Branch   Kind = "branch"
	Commit   Kind = "commit"
	Movie    Kind = "movie"
	Spot     Kind = "spot" // the place that "there" refers to
)

// Thing is something that a request can refer to.
type Thing struct {
	Kind Kind
	Name string         // the name under which a tool finds the thing
	Key  string         // the parameter that receives Name; "" means the verb's parameter
	Day  string         // the day on which an alarm rings, such as 2026-12-04
	Of   map[string]any // the arguments of the call that created the thing
}

func (t Thing) same(other Thing) bool { return t.Kind == other.Kind && t.Name == other.Name }

// naming contains, for each tool, the parameter that names a thing, and the kind of that thing.
var naming = map[string]struct {
	kind      Kind
	parameter string
}{
	"read_file": {File, "path"}, "create_file": {File, "path"}, "append_file": {File, "path"}, "apply_patch": {File, "path"},
	"git_blame": {File, "path"}, "file_read_lines": {File, "path"}, "code_symbols": {File, "path"}, "git_diff": {File, "path"},
	"read_note": {Note, "filename"}, "write_note": {Note, "filename"}, "move_note": {Note, "to"},
	"set_alarm": {Alarm, "label"}, "timer_start": {Timer, "name"}, "timer_check": {Timer, "name"},
	"calendar_add_event": {Event, "title"}, "calendar_change_event": {Event, "title"},
	"bookmark_save": {Bookmark, "url"}, "browse_web": {Page, "url"}, "save_place": {Place, "label"},
	"ticket_show": {Ticket, "ticket_id"}, "ticket_start": {Ticket, "ticket_id"}, "git_checkout": {Branch, "target"},
}

// newNameShapes maps each tool to a pattern. The pattern's capture group finds the new thing's name
// in the tool's result.
var newNameShapes = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"set_alarm":          regexp.MustCompile(`^Alarm "([^"]+)" is set`),
		"timer_start":        regexp.MustCompile(`^Timer "([^"]+)" started`),
		"calendar_add_event": regexp.MustCompile(`\[uid:([\w-]+)\]`),
		"create_ticket":      regexp.MustCompile(`^Created (\S+)`),
	}
})

// named returns the thing that is named by a call or by the call's result.
func named(step Step) (Thing, bool) {
	args := Args(step.Call)
	if step.Call.Name == "run_command" {
		path, ok := lines.Path(text(args, "command"))
		return Thing{Kind: File, Name: path}, ok && Done(step.Result)
	}
	if shape := newNameShapes()[step.Call.Name]; shape != nil && Done(step.Result) {
		if found := shape.FindStringSubmatch(step.Result.Text); found != nil {
			thing := Thing{Kind: naming[step.Call.Name].kind, Name: found[1], Of: args}
			switch step.Call.Name {
			case "set_alarm":
				thing.Day = dayOf(step.Result.Text)
			case "calendar_add_event":
				thing.Key = "uid"
			case "create_ticket":
				thing.Kind = Ticket
			}
			return thing, true
		}
	}
	about, ok := naming[step.Call.Name]
	name := text(args, about.parameter)
	if file := text(args, "path"); !ok && file != "" && strings.Contains(file, ".") {
		return Thing{Kind: File, Name: file}, true // code_grep searched only one file
	}
	return Thing{Kind: about.kind, Name: name, Of: args}, ok && name != ""
}

var rings = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`is set for (\w+ \w+ \d+ \d{4}) `) })

// dayOf returns the day for which an alarm was set, or "".
func dayOf(result string) string {
	found := rings().FindStringSubmatch(result)
	if found == nil {
		return ""
	}
	day, err := time.Parse("Mon Jan 2 2006", found[1])
	if err != nil {
		return ""
	}
	return day.Format(time.DateOnly)
}

func spotted(step Step) (Thing, bool) {
	args := Args(step.Call)
	for _, name := range []string{"location", "place", "destination"} {
		if place := text(args, name); place != "" {
			return Thing{Kind: Spot, Name: place}, true
		}
	}
	return Thing{}, false
}

// listing describes how the things in a tool's result are listed, one per line.
type listing struct {
	kind Kind
	line string // a pattern whose capture group is the name
	key  string
}

var listings = map[string]listing{
	"find_files":             {kind: File, line: `^(\S.*[^/:\s])$`},
	"code_grep":              {kind: File, line: `^([^\s>][^:]*)(?::\d+.*)?$`},
	"notes_ls":               {kind: Note, line: `^  (\S.*?)(?:\.md)? \(\d`},
	"list_alarms":            {kind: Alarm, line: `^\d+\. (.+?): `},
	"timer_check":            {kind: Timer, line: `^(.+?): .*left`},
	"calendar_list_upcoming": {kind: Event, line: `\[uid:([\w-]+)\]`, key: "uid"},
	"calendar_view":          {kind: Event, line: `\[uid:([\w-]+)\]`, key: "uid"},
	"bookmark_list":          {kind: Bookmark, line: `^ +(https?://\S+)`},
	"bookmark_search":        {kind: Bookmark, line: `^ +(https?://\S+)`},
	"web_search":             {kind: Page, line: `^ +(https?://\S+)`},
	"search_news":            {kind: Page, line: `^ +(https?://\S+)`},
	"read_rss":               {kind: Page, line: `^ +(https?://\S+)`},
	"list_places":            {kind: Place, line: `^\d+\. (.+)$`},
	"ticket_list":            {kind: Ticket, line: `^(\S+) +\[`},
	"git_branch":             {kind: Branch, line: `^[* ] (\S+)`},
	"git_log":                {kind: Commit, line: `^(?:commit )?([0-9a-f]{7,40})\b`},
	"search_movies":          {kind: Movie, line: `(tt\d{6,})`},
}

// mostListed limits the number of entries that a request can refer to.
const mostListed = 100

// listed returns the things in a tool's result, in order and without adjacent duplicates.
func listed(step Step) (list []Thing) {
	if step.Call.Name == "tree" && Done(step.Result) {
		return treeFiles(step)
	}
	form, ok := listings[step.Call.Name]
	if !ok || !Done(step.Result) {
		return nil
	}
	shape := regexp.MustCompile(form.line)
	for line := range strings.Lines(step.Result.Text) {
		found := shape.FindStringSubmatch(strings.TrimRight(line, "\n"))
		if found == nil || len(list) == mostListed {
			continue
		}
		thing := Thing{Kind: form.kind, Name: found[1], Key: form.key}
		if form.kind == Place {
			thing.Name = strings.ToLower(thing.Name)
		}
		if len(list) == 0 || !list[len(list)-1].same(thing) {
			list = append(list, thing)
		}
	}
	return list
}

// treeFiles returns the files in a result of the tree tool, in order.
func treeFiles(step Step) (list []Thing) {
	above := []string{text(Args(step.Call), "path")}
	for line := range strings.Lines(step.Result.Text) {
		branch, name, ok := strings.Cut(strings.TrimRight(line, "\n"), "── ")
		depth := (utf8.RuneCountInString(branch) - 1) / 4 // "│   " or four spaces for each level
		if !ok || name == "" || depth >= len(above) || len(list) == mostListed {
			continue
		}
		at := path.Join(above[depth], name)
		if strings.HasSuffix(name, "/") {
			above = append(above[:depth+1], at)
			continue
		}
		list = append(list, Thing{Kind: File, Name: at})
	}
	return list
}
