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

// The user can type text while a turn is running. Enter sends it with the next request of that
// turn, and Alt-Enter queues it until the turn has ended. The user can take back text that has not
// been used yet.

// queue manages the prompts that no turn has used yet. They are for the running turn or for later
// turns.
type queue struct {
	client ui.Client
	view   *view.View
	input  *inputState
	frame  *canvas.Canvas
	keys   *keymap.Map
	say    func(text string, during time.Duration)

	steers    int    // the number in the latest request ID
	askedBack string // ID of the request whose prompt the user takes back
}

// steer sends a prompt to the running turn.
func (q *queue) steer(prompt messages.Prompt) {
	q.steers++
	prompt.Steer = true
	request := fmt.Sprintf("steer-%d", q.steers)
	q.view.Queue = append(q.view.Queue, conversation.Queued{Prompt: prompt, Request: request, Sent: true})
	q.client.Send(messages.Request{ID: request, Op: prompt})
}

// sendLater queues the input until the running turn ends. If the input is empty or no turn is
// running, sendLater inserts a line break.
func (s *Screen) sendLater() {
	if !s.view.Turn.Running || s.input.Empty() {
		s.input.Insert("\n")
		return
	}
	s.input.after = true
	s.enter()
	s.input.after = false
}

// handleWithdrawn moves a withdrawn prompt into the input if editNewest requested the withdrawal.
func (q *queue) handleWithdrawn(request string) {
	if request == "" || request != q.askedBack || !q.input.Empty() {
		return
	}
	if one, ok := q.view.Queue.Remove(request); ok {
		q.input.SetText(typedAs(one.Prompt))
		q.askedBack = ""
	}
}

// editNewest moves the newest queued prompt back into the input.
func (q *queue) editNewest() {
	n := len(q.view.Queue)
	switch {
	case n == 0:
	case !q.input.Empty():
		q.say("First send or clear the text that you are writing", canvas.HintTime)
	case q.view.Queue[n-1].Request != "":
		q.askedBack = q.view.Queue[n-1].Request
		q.client.Send(messages.Cancel{Request: q.askedBack})
	default:
		q.input.SetText(typedAs(q.view.Queue[n-1].Prompt))
		q.view.Queue = q.view.Queue[:n-1]
	}
}

// takeBack moves all queued prompts into the input. Text that is already in the input follows the
// prompts.
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

// queueRows is the maximum number of visible queued prompts. A note beside a prompt must leave at
// least fewestCells for the prompt.
const (
	queueRows   = 3
	fewestCells = 20
)

// draw puts the queue directly above the given row, and returns the number of rows drawn.
func (q *queue) draw(bottom int) int {
	shown := q.view.Queue[:min(len(q.view.Queue), queueRows, max(bottom-3, 0))]
	for i, prompt := range shown {
		note := "queued"
		if prompt.Request != "" {
			note = "sent with the next step"
		}
		if i == len(shown)-1 && len(q.view.Queue) > len(shown) {
			note += fmt.Sprintf(", and %d more", len(q.view.Queue)-len(shown))
		} else if i == len(shown)-1 && len(q.view.Asked) == 0 { // a question gets the keys
			note += " · " + q.keys.First("dequeue") + " edits"
		}
		if q.frame.Width-view.Width(note) < fewestCells { // the prompt is more important than the note
			note = ""
		}
		text := view.Cut("⏳ "+canvas.OneRow(typedAs(prompt.Prompt)), max(q.frame.Width-view.Width(note)-2, 3))
		q.frame.Put(bottom-len(shown)+i, view.Line{{Role: view.User, Text: text}, {Role: view.Faint, Text: "  " + note}})
	}
	return len(shown)
}
