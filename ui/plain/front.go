package plain

import (
	"errors"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/conversation"
)

// front is what commands may do to the screen.
type front struct{ *Screen }

var _ command.Front = front{}

// Say marks lines that are no part of the conversation.
func (f front) Say(level messages.Level, text string) {
	if level == messages.Problem {
		f.say("[Error] " + text)
		return
	}
	f.say("[System] " + text)
}

// Submit sends a prompt; while a turn runs the conversation keeps it for later.
func (f front) Submit(prompt messages.Prompt) {
	switch {
	case f.talk.Turn.Running && f.Terminal != nil && prompt.Provider == "" && len(prompt.Pictures) == 0: // the lines of a pipe are prompts
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

// Pick is part of [command.Front]: lines that stay have no list to go through.
func (f front) Pick(command.Pick) bool { return false }

// Theme is part of [command.Front]: lines are written in the terminal's own colors.
func (f front) Theme(string) error { return command.ErrNoColours }

// Running is part of [command.Front]. A pipe gets what a command printed as one.
func (f front) Running(line string) command.Running {
	if f.Terminal == nil {
		return nil
	}
	return &running{front: f, line: line}
}

func (f front) Leave() { f.leave() }

// Keys are those of line editing, if there is any.
func (f front) Keys() string {
	if !f.edits {
		return "Keys: Enter sends the line, Ctrl-C cancels and then leaves, Ctrl-D leaves."
	}
	return "Keys:\n" + f.bindings.Listing()
}
