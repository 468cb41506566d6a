package transcript_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/ui/transcript"
)

func TestExportFormats(t *testing.T) {
	at := time.Date(2026, 5, 4, 9, 30, 0, 0, time.UTC)
	steps := []transcript.Step{
		{At: at, Role: "you", Text: "look\nat <this>", Pictures: []string{"[picture 1: a.png]"}},
		{At: at, Role: "assistant", Model: "groq/llama", Thinking: "hm\n\nso", Text: "first\n"},
		{At: at, Role: "tool", Name: "grep", Title: "grep x", Status: "done", Text: "a\n```\nb"},
		{At: at, Role: "tool", Name: "run_command", Title: "run_command make…", Command: "make all", Status: "exit code 2"},
		{At: at.Add(time.Hour), Role: "assistant", Model: "groq/llama", Text: "second"},
		{At: at.Add(25 * time.Hour), Role: "assistant", Model: "mine/small", Text: " "},
		{At: at, Role: "shell", Name: "ls", Text: "b"},
		{At: at, Role: "system", Text: "it broke"},
		{At: at, Role: "you", Text: ""},
		{Role: "assistant", Text: "without a time"},
	}
	steps = append(steps, transcript.Recalled(messages.Recalled{At: at, Prompt: "old", Err: "cut", Steps: []messages.RecalledStep{
		{At: at.Add(time.Minute), Text: "said", Usage: messages.RoundTrip{Output: 3}}, {Tool: "tree", Title: "tree .", Status: messages.OK, Exit: 1, Text: "a"}, {Said: true, Text: "in blue"}, {Tool: "serve", Status: messages.OK, Job: "cmd-x"}, {Thinking: "only"},
	}})...)
	var all strings.Builder
	for _, path := range []string{"a.md", "a.html", "a.json"} {
		content, err := transcript.Format(path, "Tea & <cake>", steps)
		fmt.Fprintf(&all, "== %s: %v\n%s\n", path, err, content)
	}
	content, err := transcript.Format("b.txt", "", steps[:1])
	fmt.Fprintf(&all, "== b.txt without a title: %v\n%s\n", err, content)
	goldentest.Assert(t, "exports.txt", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
