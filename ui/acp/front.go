package acp

import (
	"errors"
	"strings"

	"marvin/messages"
	"marvin/ui/transcript"
)

// Say shows the output of a command as part of the answer.
func (f front) Say(level messages.Level, text string) {
	if strings.Contains(text, "\n") {
		text = transcript.Fenced(text)
	}
	f.session.say(level, text)
}

// Submit sends a prompt that belongs to the current request.
func (f front) Submit(prompt messages.Prompt) { f.Hold()(prompt) }

// Hold returns a function that submits a prompt on behalf of the current request. The function does
// nothing if the request has been canceled or has ended.
func (f front) Hold() func(messages.Prompt) {
	one := f.session.prompting()
	return func(prompt messages.Prompt) { f.session.submit(one, prompt) }
}

// Go implements [command.Front].
func (f front) Go(work func() func()) {
	session := f.session
	session.agent.runOutside(func() func() {
		then := work()
		return func() {
			if then != nil {
				then()
			}
			session.settle()
		}
	})
}

// Copy always fails, because there is no clipboard.
func (f front) Copy(string) (string, error) {
	return "", errors.New("Marvin cannot reach the clipboard here; open the answer in the editor and copy it there")
}

// Keys tells the user that the editor defines the keys.
func (f front) Keys() string { return "The editor defines the keys." }

// Leave does nothing, because the editor closes sessions.
func (f front) Leave() {}
