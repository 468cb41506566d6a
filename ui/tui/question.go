package tui

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/asking"
	"marvin/ui/keymap"
	"marvin/ui/lineedit"
	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// quiet is how long nobody may have typed before a key answers a question. What a
// person was typing when it appeared is about something else and goes to the input.
const quiet = 300 * time.Millisecond

// question is the panel of what a person is asked.
type question struct {
	id     string // "" for none
	asked  messages.Asked
	shown  time.Time // when it was drawn first, zero before
	armed  bool      // keys answer it
	chosen int       // index of the choice that Enter takes, -1 for none
	top    int       // first row of the detail on the screen
	read   bool      // the end of the detail was on the screen
	rows   int       // rows of the detail, and how many fit: as drawn last
	fit    int

	sheet  *asking.Sheet // what is filled in; nil for a decision
	cursor int           // the option that Enter takes; behind the last one own words
	heard  time.Time     // when the deadline was told

	edits   bool             // there is an editor for a change
	more    bool             // what can be looked at is shown in the place of the detail
	instead *lineedit.Editor // own words, as they are typed: what to do instead, or an answer; nil when not
}

// asked shows the oldest open question, if that is not the one on the screen.
func (s *Screen) asked() {
	if s.ask.id != "" && (len(s.view.Asked) == 0 || s.view.Asked[0].Ask != s.ask.id) {
		// guard: U4: a hint ends with its question
		s.hint = hint{} // it was about the question
	}
	if len(s.view.Asked) == 0 {
		s.ask = question{}
		return
	}
	first := s.view.Asked[0]
	if first.Ask != s.ask.id {
		s.ask = question{id: first.Ask, chosen: -1, sheet: asking.New(first), edits: s.Edit != nil}
		s.ask.place()
		s.input.search, s.overlay, s.input.completion, s.look.finding = nil, nil, nil, nil
	}
	if !first.Deadline.Equal(s.ask.asked.Deadline) {
		s.ask.heard = s.Now()
	}
	s.ask.asked = first
}

// armedAt is when keys begin to answer: after a quiet moment that began when the
// question was seen or the last key was pressed.
func (s *Screen) armedAt() time.Time {
	if s.ask.shown.IsZero() {
		return s.Now().Add(quiet)
	}
	if s.input.lastKey.After(s.ask.shown) {
		return s.input.lastKey.Add(quiet)
	}
	return s.ask.shown.Add(quiet)
}

// questionKey takes a key while a question is open. It reports false for keys that
// do what they always do.
func (s *Screen) questionKey(name string, event *tcell.EventKey, before time.Time) bool {
	switch s.keys.Action(keymap.Typing, name) {
	case "cancel-or-leave", "leave", "suspend", "redraw", "results", "thoughts", "mouse", "leave-or-delete", "approve", "plan":
		return false
	}
	s.attend()
	if s.ask.instead != nil {
		return s.insteadKey(name, event)
	}
	switch name {
	case "PgUp":
		s.ask.scroll(-max(s.ask.fit-1, 1))
		return true
	case "PgDn":
		s.ask.scroll(max(s.ask.fit-1, 1))
		return true
	}
	if step := map[string]int{"Up": -1, "Shift-Up": -1, "Down": 1, "Shift-Down": 1}[name]; step != 0 && s.ask.sheet == nil {
		s.ask.scroll(step)
		return true
	}
	if !s.ask.armed {
		since := s.ask.shown
		if before.After(since) {
			since = before
		}
		if s.ask.shown.IsZero() || event.When().Sub(since) < quiet {
			return name == "Enter" || name == "Esc" // neither sends nor cancels; the rest is draft
		}
		s.ask.armed = true
	}
	switch {
	case s.ask.sheet != nil:
		s.sheetKey(name, event)
	case s.ask.asked.Kind == messages.AskPlan:
		s.planKey(name, event)
	default:
		return s.choose(name, event)
	}
	return true
}

// choose answers, or moves the choice that Enter takes. It reports false for a letter that
// stands for no choice: somebody who had not seen the question began to write, and what
// follows at once is no answer either.
func (s *Screen) choose(name string, event *tcell.EventKey) bool {
	choices := s.ask.asked.Choices
	switch name {
	case "Esc":
		s.answer(messages.No)
	case "Enter":
		if s.ask.chosen < 0 {
			s.say("Press "+s.ask.letters()+", or choose with the arrows", 3*time.Second)
			return true
		}
		s.answer(choices[s.ask.chosen])
	case "Right", "Tab":
		s.ask.chosen = (s.ask.chosen + 1) % max(len(choices), 1)
	case "Left", "Shift-Tab":
		s.ask.chosen = (max(s.ask.chosen, 0) + len(choices) - 1) % max(len(choices), 1)
	case "":
		switch key := unicode.ToLower(event.Rune()); {
		case key == 'i' && s.ask.asked.Tool != "":
			s.ask.instead = &lineedit.Editor{}
			return true
		case key == 'e' && s.ask.asked.Diff && s.ask.edits:
			editProposed(s)
			return true
		case key == 'v' && s.ask.asked.More != "":
			s.ask.more, s.ask.top = !s.ask.more, 0
			return true
		}
		for _, choice := range choices {
			if first := rune(choice[0]); event.Rune() == first || event.Rune() == first-'a'+'A' {
				s.answer(choice)
				return true
			}
		}
		s.ask.armed = false
		return false
	}
	return true
}

// answer settles the question. Consent needs that the whole effect was on the screen.
func (s *Screen) answer(choice messages.Choice) {
	if !slices.Contains(s.ask.asked.Choices, choice) || choice != messages.No && s.unread() {
		return
	}
	s.decide(messages.Answer{Ask: s.ask.id, Choice: choice})
}

// unread says, also to the person, that they did not see all of it yet.
func (s *Screen) unread() bool {
	if !s.ask.read {
		s.say("There is more to read: PgDn", 3*time.Second)
	}
	return !s.ask.read
}

// decide sends an answer, and goes on as if it had been heard already.
func (s *Screen) decide(answer messages.Answer) {
	s.Client.Send(answer)
	s.view.Apply(messages.Envelope{Event: answer.Settled()})
	s.asked()
}

func (q *question) scroll(rows int) {
	q.top = max(min(q.top+rows, q.rows-q.fit), 0)
}

// layout is the panel: title, the part of the detail that fits, the choices.
func (q *question) layout(width, height int) []view.Line {
	if q.sheet != nil {
		return q.sheetLayout(width, height)
	}
	detail := q.body(width - 2)
	q.rows, q.fit = len(detail), max(min(len(detail), height-2), 1)
	q.scroll(0)
	end := min(q.top+q.fit, q.rows)
	q.read = q.read || end >= q.rows && !q.more
	title := termsafe.String(q.asked.Heading())
	if q.rows > q.fit {
		title += "  " + position(end, q.rows)
	}
	lines := []view.Line{{{Role: view.System, Text: view.Cut(oneRow(title), width)}}}
	for _, row := range detail[q.top:end] {
		lines = append(lines, append(view.Line{{Role: view.System, Text: "│ "}}, row...))
	}
	if q.asked.Kind == messages.AskPlan {
		return append(lines, q.planChoices(width))
	}
	return append(lines, q.choices(width))
}

// body is what is asked about, with what always would cover: both have to be read.
func (q *question) body(width int) []view.Line {
	if q.more {
		return textRows(q.asked.More, view.Plain, width)
	}
	rows := q.detail(width)
	if q.asked.Always != "" {
		rows = append(rows, textRows("always: "+q.asked.Always, view.System, width)...)
	}
	return rows
}

// detail is what is asked about: why, and then a change as a diff, where it is one.
func (q *question) detail(width int) []view.Line {
	why, change := q.change()
	if change == "" {
		return textRows(q.asked.Detail, view.Strong, width)
	}
	var rows []view.Line
	if why != "" {
		rows = textRows(why, view.Strong, width)
	}
	return append(rows, view.DiffRows(change, width)...)
}

// change parts what is asked about into why and a unified diff, which is "" for others.
func (q *question) change() (why, diff string) {
	at := strings.Index("\n"+q.asked.Detail, "\n--- ")
	if !q.asked.Diff || at < 0 {
		return q.asked.Detail, ""
	}
	return strings.TrimSuffix(q.asked.Detail[:at], "\n"), q.asked.Detail[at:]
}

// letters are the keys that answer, for a hint.
func (q *question) letters() string {
	var keys []string
	for _, choice := range q.asked.Choices {
		keys = append(keys, string(choice[0]))
	}
	if len(keys) < 2 {
		return strings.Join(keys, "")
	}
	return strings.Join(keys[:len(keys)-1], ", ") + " or " + keys[len(keys)-1]
}

func textRows(text string, role view.Role, width int) []view.Line {
	var rows []view.Line
	for line := range eachLine(termsafe.String(text)) {
		rows = append(rows, view.Break(view.Line{{Role: role, Text: line}}, width)...)
	}
	return rows
}

// choices is the row of what can be pressed; faint until keys answer.
func (q *question) choices(width int) view.Line {
	role := view.Plain
	if !q.armed {
		role = view.Faint
	}
	var line view.Line
	for i, choice := range q.asked.Choices {
		text := "[" + string(choice[0]) + "]" + string(choice[1:])
		if i == q.chosen {
			line = append(line, view.Span{Role: view.Assistant, Text: "▸" + text + " "})
		} else {
			line = append(line, view.Span{Role: role, Text: " " + text + " "})
		}
	}
	for _, also := range []struct {
		text string
		on   bool
	}{{"[i]nstead", q.asked.Tool != ""}, {"[e]dit", q.asked.Diff && q.edits}, {"[v]iew", q.asked.More != "" && !q.more}, {"[v]iew the question", q.more}} {
		if also.on {
			line = append(line, view.Span{Role: role, Text: " " + also.text + " "})
		}
	}
	if !q.read && !q.more {
		line = append(line, view.Span{Role: view.Faint, Text: " PgDn: read to the end first"})
	}
	return view.Fold(line, width)[0]
}
