package tui

import (
	"fmt"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/conversation"
	"marvin/ui/keymap"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// What is typed while a turn runs: Enter sends it into the next request of that turn,
// Alt-Enter keeps it for after it. Until then it can be taken back.

// queue is what waits for the running turn, or for its end.
type queue struct {
	client ui.Client
	view   *view.View
	input  *writing
	frame  *canvas.Canvas
	keys   *keymap.Map
	say    func(text string, during time.Duration)

	steers    int    // how many prompts were given to a running turn
	askedBack string // the request of a waiting prompt that was asked back
}

// steer gives a prompt to the running turn.
func (q *queue) steer(prompt messages.Prompt) {
	q.steers++
	prompt.Steer = true
	request := fmt.Sprintf("steer-%d", q.steers)
	q.view.Queue = append(q.view.Queue, conversation.Queued{Prompt: prompt, Request: request, Sent: true})
	q.client.Send(messages.Request{ID: request, Op: prompt})
}

// later queues what is typed for after the running turn; without one it begins a line.
func (s *Screen) later() {
	if !s.view.Turn.Running || s.input.Empty() {
		s.input.Insert("\n")
		return
	}
	s.input.after = true
	s.enter()
	s.input.after = false
}

// withdrawn is a prompt that the conversation gives back: the one that the person wants to
// change goes into the input; the others wait here.
func (q *queue) withdrawn(request string) {
	if request == "" || request != q.askedBack || !q.input.Empty() {
		return
	}
	if one, ok := q.view.Queue.Remove(request); ok {
		q.input.SetText(typedAs(one.Prompt))
		q.askedBack = ""
	}
}

// change takes the newest queued prompt back to change it.
func (q *queue) change() {
	n := len(q.view.Queue)
	switch {
	case n == 0:
	case !q.input.Empty():
		q.say("Send or clear what you are writing first", canvas.HintTime)
	case q.view.Queue[n-1].Request != "":
		q.askedBack = q.view.Queue[n-1].Request
		q.client.Send(messages.Cancel{Request: q.askedBack})
	default:
		q.input.SetText(typedAs(q.view.Queue[n-1].Prompt))
		q.view.Queue = q.view.Queue[:n-1]
	}
}

// takeBack puts everything that waits in front of the draft.
func (q *queue) takeBack() {
	var texts []string
	for _, prompt := range q.view.Queue {
		texts = append(texts, typedAs(prompt.Prompt))
	}
	if !q.input.Empty() {
		texts = append(texts, q.input.Text())
	}
	q.view.Queue = nil
	q.input.SetText(strings.Join(texts, "\n"))
}

// queueRows is how many waiting prompts are shown, and fewestCells the least width of a prompt
// beside other text.
const (
	queueRows   = 3
	fewestCells = 20
)

// draw draws it above a row and says how many rows it took.
func (q *queue) draw(bottom int) int {
	shown := q.view.Queue[:min(len(q.view.Queue), queueRows, max(bottom-3, 0))]
	for i, prompt := range shown {
		note := "queued"
		if prompt.Request != "" {
			note = "goes into the next step"
		}
		if i == len(shown)-1 && len(q.view.Queue) > len(shown) {
			note += fmt.Sprintf(", and %d more", len(q.view.Queue)-len(shown))
		} else if i == len(shown)-1 && len(q.view.Asked) == 0 { // where something is asked keys are for that
			note += " · " + q.keys.First("dequeue") + " edits"
		}
		if q.frame.Width-view.Width(note) < fewestCells { // the words go before what is said of them
			note = ""
		}
		text := view.Cut("⏳ "+canvas.OneRow(typedAs(prompt.Prompt)), max(q.frame.Width-view.Width(note)-2, 3))
		q.frame.Put(bottom-len(shown)+i, view.Line{{Role: view.User, Text: text}, {Role: view.Faint, Text: "  " + note}})
	}
	return len(shown)
}
