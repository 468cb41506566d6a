package main

import (
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/app"
	clitool "marvin/cmd/marvin/internal/cli/tool"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/offline"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// notAnswered lists examples that are only for models, with the reason.
var notAnswered = map[string]string{}

// The built-in assistant turns every example of every tool, written as a user would, into a call of
// that tool with valid arguments.
func TestEveryExampleIsUnderstoodWithoutAModel(t *testing.T) {
	t.Parallel()
	all := registry(t)
	model := offline.New(app.Finder{Registry: toolbox.NewShelf(all), Mode: tools.Mode{Coding: true, Person: true, Planning: true}})
	count := 0
	for _, tool := range all.All() {
		for _, example := range tool.Examples {
			request := clitool.PlainExample(example)
			if notAnswered[request] != "" {
				continue
			}
			count++
			reply, err := model.Respond(t.Context(), providers.Question{
				Messages: []messages.Message{{Role: messages.User, Text: request}},
				Tools:    []providers.ToolSpec{{Name: tool.Name}},
			}, func(providers.Part) {})
			if err != nil {
				t.Errorf("%q: %v", request, err)
				continue
			}
			if len(reply.Calls) == 0 {
				t.Errorf("%q: no call; said %s", request, firstLineOf(reply.Text))
				continue
			}
			if got := reply.Calls[0].Name; got != tool.Name {
				t.Errorf("%q: calls %s instead of %s", request, got, tool.Name)
				continue
			}
			if _, err := tool.Decode(reply.Calls[0].Args); err != nil {
				t.Errorf("%q: %s %s: %v", request, tool.Name, reply.Calls[0].Args, err)
			}
		}
	}
	if count < 2*len(all.All()) {
		t.Errorf("only %d examples for %d tools", count, len(all.All()))
	}
}

func firstLineOf(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
