package rpc

import (
	"errors"

	"marvin/messages"
	"marvin/ui/command"
)

// front implements [command.Front] for a client.
type front struct {
	command.NoScreen
	server *Server
}

func (f front) Say(level messages.Level, text string) {
	f.server.write(lineOutput{Version: messages.WireVersion, Type: "said", Level: level, Text: text})
}

func (f front) Submit(prompt messages.Prompt) { f.Hold()(prompt) }

// Hold returns a function that submits a prompt. The request gets the id of the line that is
// current when Hold is called.
func (f front) Hold() func(messages.Prompt) {
	id := f.server.typing
	return func(prompt messages.Prompt) { f.server.Client.Send(messages.Request{ID: id, Op: prompt}) }
}

func (f front) Go(work func() func()) {
	typing := f.server.typing
	f.server.work.Start(func() {
		then := work()
		select {
		case f.server.done <- func() {
			if then != nil {
				f.server.typing = typing // prompts from then() get the id of the original line
				then()
				f.server.typing = ""
			}
		}:
		case <-f.server.ended:
		}
	}, func() {})
}

func (f front) Copy(string) (string, error) {
	return "", errors.New("there is no clipboard here; the event \"turn_ended\" contains the answer in its \"text\"")
}

func (f front) Keys() string {
	return "There are no keyboard shortcuts here: requests come as lines of JSON."
}

func (f front) Leave() { f.server.leave() }
