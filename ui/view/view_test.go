package view_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/view"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// shown returns a conversation with these events, a second apart.
func shown(events ...messages.Event) *view.View {
	v := &view.View{}
	for i, event := range events {
		v.Apply(messages.Envelope{Seq: uint64(i + 1), At: start.Add(time.Duration(i) * time.Second), Event: event})
	}
	return v
}

var roles = []string{
	"", "user", "assistant", "system", "tool", "problem", "faint", "strong", "heading", "code", "added", "removed", "hunk",
	"emphasis", "struck", "link", "keyword", "name", "quoted", "number", "comment", "found", "snippet",
	"band", "noground", "ground", "addedground", "removedground", "addedword", "removedword",
}

// drawing returns the rows as text in which every role is visible.
func drawing(lines []view.Line) string {
	var text strings.Builder
	for _, line := range lines {
		for _, span := range line {
			if name := roles[span.Role]; name != "" {
				fmt.Fprintf(&text, "<%s>%s</>", name, span.Text)
			} else {
				text.WriteString(span.Text)
			}
		}
		text.WriteByte('\n')
	}
	return text.String()
}

func compare(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; now it is\n%s", path, got)
	}
}

const answer = "# Plan\nSome **bold** text and `code with **stars**`, long enough to be broken between words.\n\n" +
	"- an item that is long enough to hang behind its bullet on the next row\n1. 日本語のテキストは どこでも折り返せる\n" +
	"```go\nfunc main() { fmt.Println(\"a very long line of code\") }\n# no heading\n```\nend"

var walk = []messages.Event{
	messages.Opened{Profile: "default", Provider: "groq", Model: "llama", Coding: true},
	messages.TurnStarted{Prompt: "show me\nthe plan"},
	messages.Thinking{Chunk: "first this\nthen "},
	messages.Thinking{Chunk: "that"},
	messages.Text{Chunk: answer},
	messages.ToolsCalled{Names: []string{"read_file", "apply_patch", "run_command", "nonsense"}},
	messages.ToolStarted{Call: "1", Name: "read_file", Title: "read_file main.go"},
	messages.ToolStarted{Call: "2", Name: "apply_patch", Title: "apply_patch a.go"},
	messages.ToolStarted{Call: "3", Name: "run_command", Title: "sleep 100 with a very long title that has to be cut"},
	messages.ToolOutput{Call: "3", Chunk: "so far\n"},
	messages.ToolEnded{Call: "1", Name: "read_file", Status: messages.OK, Summary: "2 lines", Text: "package main\n\tfunc", Took: 1200 * time.Millisecond},
	messages.ToolEnded{Call: "2", Name: "apply_patch", Status: messages.OK, Summary: "changed", Text: "ok", View: &messages.View{Kind: messages.Diff, Text: "--- a\n+++ a\n@@ -1 +1 @@\n-old\n+new\n same"}},
	messages.ToolEnded{Call: "4", Name: "nonsense", Status: messages.ToolError, Summary: "no such tool", Text: "no such tool"},
	messages.Notice{Level: messages.Warning, Text: "mind the gap"},
	messages.TurnEnded{Outcome: messages.Failed, Text: answer, Err: "the model went away", Usage: messages.Usage{Cost: 0.5}},
}

func TestTranscriptDrawing(t *testing.T) {
	v := shown(walk...)
	for _, each := range []struct {
		name  string
		width int
		open  bool
	}{{"folded-60", 60, false}, {"open-60", 60, true}, {"open-24", 24, true}} {
		window := view.Window{Results: each.open, Thoughts: each.open}
		compare(t, each.name+".txt", drawing(window.Show(v.Blocks, each.width, 1000, start.Add(20*time.Second))))
	}
	if v.Messages != 2 || v.Model != "llama" || v.Usage.Cost != 0.5 || v.Turn.Running {
		t.Errorf("messages %d, model %q, usage %+v, running %v", v.Messages, v.Model, v.Usage, v.Turn.Running)
	}
}

// The final layout does not depend on how the text arrives.
func TestStreamedTextLooksLikeWholeText(t *testing.T) {
	for _, width := range []int{6, 17, 80} {
		whole := shown(messages.TurnStarted{}, messages.Text{Chunk: answer})
		streamed := shown(messages.TurnStarted{})
		var window view.Window
		for _, r := range answer {
			streamed.Apply(messages.Envelope{Event: messages.Text{Chunk: string(r)}})
			window.Show(streamed.Blocks, width, 10, start)
		}
		want := drawing((&view.Window{}).Show(whole.Blocks, width, 1000, start))
		if got := drawing(window.Show(streamed.Blocks, width, 1000, start)); got != want {
			t.Errorf("width %d: streamed\n%s\nwhole\n%s", width, got, want)
		}
	}
}

func TestNoLineIsWiderThanTheScreen(t *testing.T) {
	v := shown(walk...)
	for width := 6; width <= 100; width++ {
		window := view.Window{Results: true, Thoughts: true}
		for _, line := range window.Show(v.Blocks, width, 10000, start) {
			if line.Width() > width {
				t.Fatalf("%q is %d cells wide, not %d", line, line.Width(), width)
			}
		}
	}
}

func TestNothingHarmfulGetsIn(t *testing.T) {
	const evil = "\x1b]0;owned\x07\u009b31m\u202e\U000E0041\rx"
	v := shown(
		messages.Opened{Profile: evil, Provider: evil, Model: evil, Dir: evil},
		messages.TurnStarted{Prompt: evil}, messages.Thinking{Chunk: evil}, messages.Text{Chunk: evil},
		messages.ToolsCalled{Names: []string{evil}},
		messages.ToolStarted{Call: "1", Name: evil, Title: evil}, messages.ToolOutput{Call: "1", Chunk: evil},
		messages.ToolEnded{Call: "1", Name: evil, Status: messages.Status("x"), Summary: evil, Text: evil},
		messages.ModelChanged{Provider: evil, Model: evil, Why: evil}, messages.Waiting{Why: evil}, messages.Notice{Text: evil},
		messages.TurnEnded{Text: evil, Err: evil},
	)
	window := view.Window{Results: true, Thoughts: true}
	text := drawing(window.Show(v.Blocks, 40, 1000, start))
	for _, r := range text {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x202e || r > 0xe0000 {
			t.Fatalf("%U gets through: %q", r, text)
		}
	}
	if !strings.Contains(text, "]0;owned") {
		t.Error("the text itself should still be there")
	}
}

func TestAnAnswerThatWasNotStreamedIsShown(t *testing.T) {
	v := shown(messages.TurnStarted{Prompt: "p"}, messages.TurnEnded{Outcome: messages.Cancelled, Text: "whole"})
	got := drawing((&view.Window{}).Show(v.Blocks, 40, 10, start))
	if got != "<band>› </><user>p</>\n\n<assistant>● </>whole\n\n<system>• </>[Cancelled]\n" {
		t.Errorf("%s", got)
	}
}

func TestQuestionsCloseWhenTheyAreSettled(t *testing.T) {
	v := shown(messages.Asked{Ask: "1"}, messages.Asked{Ask: "2"}, messages.Answered{Ask: "1", Choice: messages.No})
	if len(v.Asked) != 1 || v.Asked[0].Ask != "2" {
		t.Errorf("open: %+v", v.Asked)
	}
	v.Apply(messages.Envelope{Event: messages.TurnEnded{}})
	if len(v.Asked) != 0 {
		t.Error("a question outlives its turn")
	}
}

func TestRemarksDoNotBreakAnAnswer(t *testing.T) {
	v := shown(messages.TurnStarted{Prompt: "p"}, messages.Text{Chunk: "```go\nfunc f() {\n\treturn"}, messages.Notice{Text: "a job ended"},
		messages.ModeChanged{Coding: true, Dir: "/p"}, messages.Text{Chunk: " 1\n}\n```\n"},
		messages.ToolStarted{Call: "1", Name: "tool"}, messages.Text{Chunk: "later"})
	got := ""
	for _, line := range (&view.Window{}).Show(v.Blocks, 40, 100, start) {
		got += line.String() + "\n"
	}
	want := "› p\n\n● ╭╴go\n  func f() {\n      return 1\n  }\n  ╰╴\n\n• a job ended\n• Coding mode ON 🔧, in /p\n\n◦ tool · 0s · running\n\n● later\n"
	if got != want {
		t.Errorf("it shows\n%s\nnot\n%s", got, want)
	}
}

// Granted and revoked permissions are shown, because nothing else on the screen shows them.
func TestGrantsThatChangeAreReported(t *testing.T) {
	ls := messages.Grant{Number: 1, Covers: "all `ls …` commands"}
	v := shown(messages.Granted{Grants: []messages.Grant{ls}}, messages.Granted{Grants: []messages.Grant{ls}}, messages.Granted{})
	if len(v.Blocks) != 2 || !strings.Contains(v.Blocks[0].Text(), "Marvin no longer asks about: all `ls …` commands") || !strings.Contains(v.Blocks[1].Text(), "Asked about again: all `ls …` commands") {
		t.Errorf("%d blocks", len(v.Blocks))
	}
}

// A summary of the conversation is reported once: a notice reports it, and the view adds its size.
func TestSummaryIsReportedOnce(t *testing.T) {
	v := shown(messages.Compacted{Before: 15786, After: 2796}, messages.Notice{Level: messages.Info, Text: "── Context compacted. Older messages summarized. ──"})
	var text strings.Builder
	for _, block := range v.Blocks {
		text.WriteString(drawing(block.Lines(90, false, start)))
	}
	if said := text.String(); strings.Count(said, "compacted") != 1 || strings.Count(said, "15786 tokens became 2796.") != 1 {
		t.Errorf("drawn as\n%s", said)
	}
}
