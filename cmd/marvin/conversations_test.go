package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/app"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/offline"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// saidLine is a line of a conversation: a request, or the result of the call before it.
type saidLine struct {
	wanted
	result string // of its call
}

func readConversations(t *testing.T, name string) (list [][]saidLine) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "eval", name))
	if err != nil {
		t.Fatal(err)
	}
	var current []saidLine
	for line := range strings.Lines(string(content) + "\n\n") {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "#"):
		case line == "" && len(current) > 0:
			list, current = append(list, current), nil
		case strings.HasPrefix(line, "<"):
			current[len(current)-1].result += strings.TrimPrefix(strings.TrimPrefix(line, "<"), " ") + "\n"
		default:
			if request, right, ok := strings.Cut(" "+line, " => "); ok {
				current = append(current, saidLine{wanted: readWantedLine(strings.TrimSpace(request), right)})
			}
		}
	}
	return list
}

// A request may refer to earlier ones: with other values, with "it" or "the second one", or as the
// answer to a question.
func TestConversationsAreUnderstood(t *testing.T) {
	all := registry(t)
	model := offline.New(app.Finder{Registry: toolbox.NewShelf(all), Mode: tools.Mode{Coding: true, Person: true}, Dir: smallProject(t)})
	var s score
	for _, conversation := range readConversations(t, "conversations.txt") {
		question := providers.Question{Tools: []providers.ToolSpec{{Name: "find_tools"}}}
		for _, one := range conversation {
			if one.request != "" {
				question.Messages = append(question.Messages, messages.Message{Role: messages.User, Text: one.request})
			}
			reply, err := model.Respond(t.Context(), question, func(providers.Part) {})
			if err != nil {
				t.Fatal(err)
			}
			s.judge(one.wanted, reply, all)
			question.Messages = append(question.Messages, messages.Message{Role: messages.Assistant, Text: reply.Text, Calls: reply.Calls})
			for _, call := range reply.Calls {
				question.Messages = append(question.Messages, messages.Message{Role: messages.Tool, Result: messages.ToolResult{Name: call.Name, Text: one.result}})
			}
		}
	}
	t.Log(s)
	for _, line := range s.lines {
		t.Log(line)
	}
	if all := s.right + s.missed + s.wrong; all < 150 || float64(s.right) < 0.95*float64(all) || s.written > 0 {
		t.Error(s)
	}
}

// An unclear request deletes, renames, sends and commits nothing.
func TestNothingIsDoneInDoubt(t *testing.T) {
	if s := understandAll(t, readWanted(t, "doubt.txt")); s.missed+s.wrong > 0 {
		t.Errorf("%s\n%s", s, strings.Join(s.lines, "\n"))
	}
}
