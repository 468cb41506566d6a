package question

import (
	"slices"
	"time"
	"unicode"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/asking"
	"marvin/ui/lineedit"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// quiet is the typing pause after which a question accepts keys. Before this pause, typed text goes
// to the input.
const quiet = 300 * time.Millisecond

// Question is the state of the displayed question.
type Question struct {
	ID     string // "" for none
	Asked  messages.Asked
	shown  time.Time // time of the first frame; zero until that frame is drawn
	Armed  bool      // the question accepts keys
	chosen int       // index of the choice that Enter selects, -1 for none
	top    int       // first visible row of the detail
	read   bool      // whether the end of the detail has been shown
	rows   int       // height of the detail
	fit    int       // height of the visible part of the detail

	sheet  *asking.Sheet // the user's input in a choice or form; nil for other questions
	cursor int           // index of the option that Enter selects; the index after the last option means free text
	heard  time.Time     // time at which the deadline was set

	edits   bool             // the change can be edited
	more    bool             // whether the panel shows Asked.More instead of the detail
	Instead *lineedit.Editor // the line for free text; nil if closed
}

// Panel shows the conversation's oldest open question.
type Panel struct {
	Question
	Client ui.Client
	Now    func() time.Time
	Say    func(text string, during time.Duration)
	View   *view.View
	Frame  *canvas.Canvas
	Edit   func()    // called to edit the proposed change; nil if there is no editor
	Over   func()    // called when a question leaves the screen
	Comes  func()    // called when a question replaces an open page
	Typed  time.Time // when the last key was pressed
}

// Follow shows the oldest unanswered question. If there is none, Follow clears the panel.
func (q *Panel) Follow() {
	if q.ID != "" && (len(q.View.Asked) == 0 || q.View.Asked[0].Ask != q.ID) {
		q.Over()
	}
	if len(q.View.Asked) == 0 {
		q.Question = Question{}
		return
	}
	first := q.View.Asked[0]
	if first.Ask != q.ID {
		q.Question = Question{ID: first.Ask, chosen: -1, sheet: asking.New(first), edits: q.Edit != nil}
		q.place()
		q.Comes()
	}
	if !first.Deadline.Equal(q.Question.Asked.Deadline) {
		q.heard = q.Now()
	}
	q.Question.Asked = first
}

// ArmedAt returns the time at which the question begins to accept keys. Each key press postpones
// this time.
func (q *Panel) ArmedAt() time.Time {
	if q.shown.IsZero() {
		return q.Now().Add(quiet)
	}
	if q.Typed.After(q.shown) {
		return q.Typed.Add(quiet)
	}
	return q.shown.Add(quiet)
}

// Key handles a key while a question is open. action is the key's usual action, and lastKey is the
// time of the previous key. Key returns false if the key keeps its usual action.
func (q *Panel) Key(action, name string, event *tcell.EventKey, lastKey time.Time) bool {
	switch action {
	case "cancel-or-leave", "leave", "suspend", "redraw", "results", "thoughts", "mouse", "leave-or-delete", "approve", "plan":
		return false
	}
	q.attend()
	if q.Instead != nil {
		return q.insteadKey(name, event)
	}
	switch name {
	case "PgUp":
		q.Scroll(-max(q.fit-1, 1))
		return true
	case "PgDn":
		q.Scroll(max(q.fit-1, 1))
		return true
	}
	if step := map[string]int{"Up": -1, "Shift-Up": -1, "Down": 1, "Shift-Down": 1}[name]; step != 0 && q.sheet == nil {
		q.Scroll(step)
		return true
	}
	if !q.Armed {
		since := q.shown
		if lastKey.After(since) {
			since = lastKey
		}
		if q.shown.IsZero() || event.When().Sub(since) < quiet {
			// Ignore Enter and Esc. All other keys keep their usual action.
			return name == "Enter" || name == "Esc"
		}
		q.Armed = true
	}
	switch {
	case q.sheet != nil:
		q.sheetKey(name, event)
	case q.Asked.Kind == messages.AskPlan:
		q.planKey(name, event)
	default:
		return q.choose(name, event)
	}
	return true
}

// choose interprets a key: it answers the question, or moves the selection. It returns false for a
// letter that is not a choice. Such a letter means that the user began to type before seeing the
// question, so the question accepts no more keys until the next pause.
func (q *Panel) choose(name string, event *tcell.EventKey) bool {
	choices := q.Asked.Choices
	switch name {
	case "Esc":
		q.answer(messages.No)
	case "Enter":
		if q.chosen < 0 {
			q.Say("Press "+q.letters()+", or choose with the arrows", 3*time.Second)
			return true
		}
		q.answer(choices[q.chosen])
	case "Right", "Tab":
		q.chosen = (q.chosen + 1) % max(len(choices), 1)
	case "Left", "Shift-Tab":
		q.chosen = (max(q.chosen, 0) + len(choices) - 1) % max(len(choices), 1)
	case "":
		switch key := unicode.ToLower(event.Rune()); {
		case key == 'i' && q.Asked.Tool != "":
			q.Instead = &lineedit.Editor{}
			return true
		case key == 'e' && q.Asked.Diff && q.edits:
			q.Edit()
			return true
		case key == 'v' && q.Asked.More != "":
			q.more, q.top = !q.more, 0
			return true
		}
		for _, choice := range choices {
			if first := rune(choice[0]); event.Rune() == first || event.Rune() == first-'a'+'A' {
				q.answer(choice)
				return true
			}
		}
		q.Armed = false
		return false
	}
	return true
}

// answer sends a choice that the question offers. If the end of the detail has not been shown,
// answer sends only [messages.No].
func (q *Panel) answer(choice messages.Choice) {
	if !slices.Contains(q.Asked.Choices, choice) || choice != messages.No && q.Unread() {
		return
	}
	q.Decide(messages.Answer{Ask: q.ID, Choice: choice})
}

// Unread reports whether a part of the question has not been visible yet. If so, Unread also shows
// a hint.
func (q *Panel) Unread() bool {
	if !q.read {
		q.Say("There is more to read: PgDn", 3*time.Second)
	}
	return !q.read
}

// Decide sends an answer and closes the question without waiting for a confirmation.
func (q *Panel) Decide(answer messages.Answer) {
	q.Client.Send(answer)
	q.View.Apply(messages.Envelope{Event: answer.ToEvent()})
	q.Follow()
}

func (q *Question) Scroll(rows int) {
	q.top = max(min(q.top+rows, q.rows-q.fit), 0)
}
