package plain

import (
	"errors"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/conversation"
)

// front implements [command.Front] for the screen.
type front struct{ *Screen }

var _ command.Front = front{}

// Say implements [command.Front].
func (f front) Say(level messages.Level, text string) {
	if level == messages.Problem {
		f.say("[Error] " + text)
		return
	}
	f.say("[System] " + text)
}

// Submit sends a prompt. During a turn, the conversation keeps the prompt for later.
func (f front) Submit(prompt messages.Prompt) {
	switch {
	case f.talk.Turn.Running && f.Terminal != nil && prompt.Provider == "" && len(prompt.Pictures) == 0: // lines from a pipe never join a running turn
		prompt.Steer = true
		f.say("[For the next step] " + prompt.Text)
	case f.talk.Turn.Running || len(f.talk.Queue) > 0:
		f.say("[Queued] " + prompt.Text)
	}
	f.talk.Queue = append(f.talk.Queue, conversation.Queued{Prompt: prompt, Sent: true})
	f.Client.Send(prompt)
}

func (f front) Go(work func() func()) {
	then := func() {}
	f.work.Start(func() { then = work() }, func() {
		select {
		case f.results <- then:
		case <-f.over:
		}
	})
}

func (f front) Suspend(use func() error) error {
	if f.Terminal == nil {
		return command.ErrNoTerminal
	}
	return f.suspend(use)
}

func (f front) Copy(text string) (string, error) {
	if f.Clipboard == nil {
		return "", errors.New("there is no clipboard here; /export FILE.md writes the conversation to a file")
	}
	return f.Clipboard(text)
}

// Pick implements [command.Front]. It returns false, because plain mode has no interactive lists.
func (f front) Pick(command.Pick) bool { return false }

// Theme implements [command.Front]. It fails, because plain mode uses the terminal's own colors.
func (f front) Theme(string) error { return command.ErrNoColours }

// StartDisplay implements [command.Front]. Without a terminal, it returns nil, so the output of a
// command appears when the command ends.
func (f front) StartDisplay(line string) command.CommandDisplay {
	if f.Terminal == nil {
		return nil
	}
	return &runningCommand{front: f, line: line}
}

func (f front) Leave() { f.leave() }

// Keys implements [command.Front]. If line editing is off, the result lists only Enter, Ctrl-C and
// Ctrl-D.
func (f front) Keys() string {
	if !f.edits {
		return "Keys: Enter sends the line, Ctrl-C cancels, Ctrl-D or a second Ctrl-C leaves."
	}
	return "Keys:\n" + f.bindings.Listing()
}
