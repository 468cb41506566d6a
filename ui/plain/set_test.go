package plain_test

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/plain"
)

// saidOf returns the output for these events, a second apart, on a terminal or in a pipe.
func saidOf(t *testing.T, change func(*plain.Config), typed string, events ...messages.Event) string {
	t.Helper()
	talk, out := make(told), &screen{t: t, grew: make(chan struct{}, 1)}
	stdin, keys := io.Pipe()
	defer keys.Close()
	config := plain.Config{
		Client: talk, Stdin: stdin, Stdout: out, Now: time.Now,
		Commands: func(front command.Front) *command.Engine {
			return &command.Engine{Env: command.Env{Client: talk, Front: front, Now: time.Now}}
		},
	}
	change(&config)
	front, ended := plain.Screen{Config: config}, make(chan error, 1)
	go func() { ended <- front.Run(t.Context()) }()
	start := time.Now()
	var batch []messages.Envelope
	for i, event := range events {
		batch = append(batch, messages.Envelope{At: start.Add(time.Duration(i) * time.Second), Event: event})
	}
	talk <- batch
	if typed != "" {
		if _, err := io.WriteString(keys, typed); err != nil {
			t.Fatal(err)
		}
		out.expect("[System] ")
	}
	talk <- []messages.Envelope{{Event: messages.Closed{}}}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	return out.read()
}

// person configures a terminal, which counts as 80 columns wide because its size is unknown.
func person(t *testing.T) func(*plain.Config) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { read.Close(); write.Close() })
	return func(config *plain.Config) { config.Terminal = read }
}

func pipe(*plain.Config) {}

var markedAnswer = []messages.Event{
	messages.TurnStarted{Prompt: "go"},
	messages.Text{Chunk: "# The plan\n\nIt is **imp"},
	messages.Text{Chunk: "ortant** to `read`.\n\n| a | bc |\n|---|--:|\n"},
	messages.Notice{Text: "by the way"},
	messages.Text{Chunk: "| **one** | 2 |\n\n```go\nx := \"*\"\n```\n\nThe _en"},
	messages.Text{Chunk: "d_."},
	messages.TurnEnded{Outcome: messages.Completed},
}

func TestAnAnswerIsSetOnATerminal(t *testing.T) {
	for _, row := range []struct {
		name, want string
		change     func(*plain.Config)
	}{
		{"terminal", "The plan\n\nIt is important to read.\n\na   │ bc\n────┼───\none │  2\n[System] by the way\n\n╭╴go\nx := \"*\"\n╰╴\n\nThe end.\n\n", person(t)},
		{"colours", "\x1b[1mThe plan\x1b[0m\n\nIt is \x1b[1mimportant\x1b[0m to read.\n\n\x1b[1ma\x1b[0m   │ \x1b[1mbc\x1b[0m\n────┼───\n\x1b[1mone\x1b[0m │  2\n\x1b[2m[System]\x1b[0m by the way\n\n╭╴go\nx := \"*\"\n╰╴\n\nThe \x1b[3mend\x1b[0m.\n\n", func(config *plain.Config) {
			person(t)(config)
			config.Colours = plain.Sixteen
		}},
		{"listens", "The plan\n\nIt is important to read.\n\na: one\nbc: 2\n[System] by the way\n\nx := \"*\"\n\nThe end.\n[Done in 6 s]\n\n", func(config *plain.Config) {
			person(t)(config)
			config.WholeLines = true
		}},
		{"pipe", "# The plan\n\nIt is **important** to `read`.\n\n| a | bc |\n|---|--:|\n[System] by the way\n| **one** | 2 |\n\n```go\nx := \"*\"\n```\n\nThe _end_.\n\n", pipe},
	} {
		if got := saidOf(t, row.change, "", markedAnswer...); got != row.want {
			t.Errorf("%s: it says\n%s\nnot\n%s", row.name, got, row.want)
		}
	}
}

func TestToolOutputIsNotFormatted(t *testing.T) {
	events := []messages.Event{messages.Opened{Provider: "offline"}, messages.TurnStarted{}, messages.Text{Chunk: "**a** | b\n"}, messages.TurnEnded{}}
	if got := saidOf(t, person(t), "", events...); !strings.Contains(got, "\n**a** | b\n") {
		t.Errorf("it says\n%s", got)
	}
}

// Changed words in a line are underlined if there are colors; otherwise nothing is added.
func TestChangedWordsAreMarkedInColours(t *testing.T) {
	events := []messages.Event{messages.ToolStarted{Call: "1", Name: "edit_file"}, messages.ToolEnded{Call: "1", Name: "edit_file", Status: messages.OK, View: &messages.View{
		Kind: messages.Diff, Text: "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n same\n-return one, nil\n+return two, nil\n\n",
	}}}
	for colours, want := range map[plain.Colours]string{
		plain.NoColours: "  same\n  -return one, nil\n  +return two, nil\n",
		plain.Sixteen:   "  same\n\x1b[31m  -return \x1b[4mone\x1b[24m, nil\x1b[0m\n\x1b[32m  +return \x1b[4mtwo\x1b[24m, nil\x1b[0m\n",
	} {
		got := saidOf(t, func(config *plain.Config) { config.Colours = colours }, "", events...)
		if !strings.HasSuffix(got, want) || colours == plain.NoColours && strings.ContainsRune(got, '\x1b') {
			t.Errorf("%v: it says %q, not %q", colours, got, want)
		}
	}
}

func TestAProposedChangeIsMarkedInColours(t *testing.T) {
	asked := messages.Asked{Ask: "1", Kind: messages.AskConsent, Tool: "x", Title: "Do it?", Detail: "[Error] trick\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-return one, nil\n+return two, nil\n", Diff: true, Choices: []messages.Choice{messages.Yes, messages.No}}
	for colours, want := range map[plain.Colours]string{
		plain.NoColours: "\n[Error] trick\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-return one, nil\n+return two, nil\n\n  1. yes\n",
		plain.Sixteen:   "\n[Error] trick\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n\x1b[31m-return \x1b[4mone\x1b[24m, nil\x1b[0m\n\x1b[32m+return \x1b[4mtwo\x1b[24m, nil\x1b[0m\n\n  1. yes\n",
	} {
		got := saidOf(t, func(config *plain.Config) { config.Colours = colours }, "", messages.Opened{Provider: "mine"}, messages.TurnStarted{}, asked)
		if !strings.Contains(got, want) {
			t.Errorf("%v: it says %q, not %q", colours, got, want)
		}
	}
}

// A quiet line shows that the model thought, and a command shows the thinking.
func TestThoughtsAreALine(t *testing.T) {
	events := []messages.Event{
		messages.Opened{Provider: "mine"},
		messages.TurnStarted{Prompt: "go"},
		messages.Thinking{Chunk: "first "},
		messages.Thinking{Chunk: "thought"},
		messages.Text{Chunk: "Let me see.\n"},
		messages.Thinking{Chunk: "second"},
		messages.ToolsCalled{Names: []string{"look"}},
		messages.Text{Chunk: "Done.\n"},
		messages.TurnEnded{},
	}
	got := saidOf(t, person(t), "/thoughts\n", events...)
	if want := "  thought for 2s (/thoughts)\nLet me see.\n  thought for 1s (/thoughts)\n  🔧 look\nDone.\n"; !strings.Contains(got, want) {
		t.Errorf("it says\n%s\nwithout\n%s", got, want)
	}
	if want := "[System] thought for 2s:\nfirst thought\n\nthought for 1s:\nsecond\n"; !strings.Contains(got, want) {
		t.Errorf("it says\n%s\nwithout\n%s", got, want)
	}
	if got := saidOf(t, pipe, "", events...); strings.Contains(got, "thought") {
		t.Errorf("a pipe gets\n%s", got)
	}
	again := messages.Recalled{Prompt: "go", Steps: []messages.RecalledStep{{Text: "*so*", Thinking: "hm"}}}
	if got := saidOf(t, person(t), "/thoughts\n", messages.Opened{Provider: "mine"}, again); !strings.Contains(got, "> go\n  thought (/thoughts)\nso\n") || !strings.Contains(got, "[System] thought:\nhm\n") {
		t.Errorf("of a conversation that continues it says\n%s", got)
	}
}
