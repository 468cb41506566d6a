package acp

import (
	"errors"
	"strings"

	"marvin/messages"
	"marvin/ui/command"
)

// Say shows what a command has to say, as a part of the answer.
func (f front) Say(level messages.Level, text string) {
	if strings.Contains(text, "\n") {
		text = fenced(text)
	}
	f.session.say(level, text)
}

// Submit sends a prompt for the request that is answered now.
func (f front) Submit(prompt messages.Prompt) { f.Hold()(prompt) }

// Hold is Submit for later, for the request that is answered now.
func (f front) Hold() func(messages.Prompt) {
	one := f.session.prompting()
	return func(prompt messages.Prompt) { f.session.submit(one, prompt) }
}

// Go does work beside the loop.
func (f front) Go(work func() func()) {
	session := f.session
	session.agent.beside(func() func() {
		then := work()
		return func() {
			if then != nil {
				then()
			}
			session.settle()
		}
	})
}

// Suspend cannot give a terminal away.
func (f front) Suspend(func() error) error { return command.ErrNoTerminal }

// Copy has no clipboard.
func (f front) Copy(string) (string, error) {
	return "", errors.New("Marvin cannot reach the clipboard here; copy the answer in the editor")
}

// Pick has no lists.
func (f front) Pick(command.Pick) bool { return false }

// Theme has no colors.
func (f front) Theme(string) error { return command.ErrNoColours }

// Running says a command of the user's own at its end.
func (f front) Running(string) command.Running { return nil }

// Keys are the editor's.
func (f front) Keys() string { return "The editor defines the keys." }

// Leave does nothing: the editor closes sessions.
func (f front) Leave() {}
