package acp

import (
	"errors"
	"strings"

	"marvin/messages"
	"marvin/ui/command"
)

// Say shows the output of a command as a part of the answer.
func (f front) Say(level messages.Level, text string) {
	if strings.Contains(text, "\n") {
		text = fenced(text)
	}
	f.session.say(level, text)
}

// Submit sends a prompt on behalf of the current request.
func (f front) Submit(prompt messages.Prompt) { f.Hold()(prompt) }

// Hold returns a function that submits a prompt later, on behalf of the request that is current
// now.
func (f front) Hold() func(messages.Prompt) {
	one := f.session.prompting()
	return func(prompt messages.Prompt) { f.session.submit(one, prompt) }
}

// Go runs work outside the loop.
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

// Suspend always fails, because there is no terminal.
func (f front) Suspend(func() error) error { return command.ErrNoTerminal }

// Copy always fails, because there is no clipboard.
func (f front) Copy(string) (string, error) {
	return "", errors.New("Marvin cannot reach the clipboard here; copy the answer in the editor")
}

// Pick returns false, because this front end has no lists.
func (f front) Pick(command.Pick) bool { return false }

// Theme always fails, because there are no colors.
func (f front) Theme(string) error { return command.ErrNoColours }

// Running returns nil, so the output of a user's own command is shown only at its end.
func (f front) Running(string) command.Running { return nil }

// Keys explains that the editor defines the keys.
func (f front) Keys() string { return "The editor defines the keys." }

// Leave does nothing, because the editor closes sessions.
func (f front) Leave() {}
