package tui

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/ui/command"
)

// What is unsent is kept once nobody typed for a moment, and at once where it was sent; that it
// cannot be kept is said once.
func TestEachKeepingOfADraft(t *testing.T) {
	var kept []Unsent
	full := errors.New("the disk is full")
	saves := func(c *Config) {
		c.Unsent = Unsent{Input: "left over", Queue: []string{"first", "/model"}}
		c.Save = func(unsent Unsent) error {
			if kept = append(kept, unsent); len(kept) > 3 {
				return full
			}
			return nil
		}
	}
	keeps := func(w *walk) {
		w.screen.input.draft.keep()
		select {
		case then := <-w.screen.done:
			then()
		case <-time.After(actorstest.Patience):
			t.Fatal("it is not kept")
		}
		w.told.WriteString("   kept " + kept[len(kept)-1].Input + " | " + strings.Join(kept[len(kept)-1].Queue, ", ") + "\n")
	}
	rests := func(w *walk) { w.screen.input.draft.keep() }
	walks(t, "draft", 60, 14, saves, begun, rests, "'!", keeps, "Ctrl-U", keeps, messages.TurnStarted{Prompt: "go"}, rests, "'one", "Alt-Enter", keeps, "'two", keeps, "'three", keeps, messages.TurnEnded{Outcome: messages.Completed, Text: "x"}, keeps)
}

// An input that was left alone, without anything that waited.
func TestALeftInputIsBack(t *testing.T) {
	walks(t, "left_input", 60, 10, func(c *Config) { c.Unsent.Input = "left\nover" }, begun, "x", "Esc")
}

// The history of each profile, its order, and a prompt that a person goes back to.
func TestEachProfileHasItsHistory(t *testing.T) {
	var kept []string
	typed := func(c *Config) {
		c.Inputs = func(profile string) []string { return []string{"older of " + profile, "newer of " + profile} }
		c.Input = func(profile, text string) { kept = append(kept, profile+": "+text) }
	}
	says := func(w *walk) {
		follow(w)
		w.told.WriteString("   kept " + strings.Join(kept, ", ") + "\n")
	}
	walks(t, "history", 60, 10, typed, slices.Concat([]any{begun, follow}, keys("Up", "Up", "Up", "Down", "Down", "Down", "'mine", "Enter"), []any{says}, keys("Up", "Ctrl-U", "'draft"),
		[]any{messages.Rewound{Prompt: "an old one"}, says, messages.Rewound{Prompt: "asked again", Again: true}, messages.Rewound{Prompt: "/theme"}, says}, keys("Ctrl-U"),
		[]any{messages.ModeChanged{Profile: "kim"}, follow}, keys("Ctrl-R", "'newer"), []any{messages.ModeChanged{Profile: "lee"}, follow}, keys("Enter"))...)
}

// What goes wrong with an editor, and without one.
func TestEachUseOfAnEditor(t *testing.T) {
	walks(t, "no_editor", 60, 10, nil, begun, "'text", "Ctrl-G")
}

// Clipboards that take nothing, and what is too large for the terminal alone.
func TestEachClipboard(t *testing.T) {
	refuses := func(c *Config) { c.Copy = func(string) (string, error) { return "", errors.New("xclip: no display") } }
	small := []any{begun, messages.TurnStarted{Prompt: "go"}, messages.Text{Chunk: "No code."}, messages.TurnEnded{Outcome: messages.Completed, Text: "x"}, "Alt-c", "Alt-x"}
	large := []any{begun, messages.TurnStarted{Prompt: "go"}, messages.Text{Chunk: "```\n" + strings.Repeat("x", maxClipboard+1) + "\n```\n\n```\n" + strings.Repeat("y", maxClipboard) + "\n```\n"}, messages.TurnEnded{Outcome: messages.Completed, Text: "x"}, "Alt-x", "Alt-x", "Alt-x", "Alt-c"}
	t.Run("refused", func(t *testing.T) { walks(t, "clipboard_refused", 60, 10, refuses, slices.Concat(small, large[1:])...) })
	t.Run("none", func(t *testing.T) { walks(t, "clipboard_none", 60, 10, nil, slices.Concat(small, large[1:])...) })
}

// A command of the person's own, as it runs and in each way in which it ends.
func TestEachEndOfAnOwnCommand(t *testing.T) {
	runs := func(line string, ran command.Ran, prints ...string) func(*walk) {
		return func(w *walk) {
			w.told.WriteString("-- runs " + line + " --\n")
			running := front{w.screen}.Running(line)
			for _, text := range prints {
				running.Print(text)
			}
			w.now = w.now.Add(2 * time.Second)
			running.End(ran)
		}
	}
	walks(t, "own_command", 60, 24, nil, begun, runs("ls", command.Ran{Output: "a\nb\n"}, "a\n", "b\n"), runs("sleep 9", command.Ran{Output: "", Cancelled: true}), runs("false", command.Ran{Output: "no\n", Err: errors.New("exit status 1")}, "no\n"),
		func(w *walk) { front{w.screen}.Say(messages.Problem, "a problem\nof two lines") }, func(w *walk) { front{w.screen}.Say(messages.Warning, "a warning") })
}

// Commands with arguments, names that are completed by keys alone, and pasted texts.
func TestEachCompletionByTab(t *testing.T) {
	lists := func(c *Config) {
		c.Complete = func(kind command.Kind, dir, prefix string) []command.Completion {
			if kind == command.KindTheme {
				return []command.Completion{{Item: "nord", Note: "dark"}, {Item: "north", Note: "light"}}
			}
			return command.Unnoted([]string{prefix + "one.txt"})
		}
	}
	paste := func(text string) []any {
		return []any{tcell.NewEventPaste(true), func(w *walk) {
			for _, letter := range text {
				_ = w.screen.terminal(tcell.NewEventKey(tcell.KeyRune, letter, 0))
			}
		}, tcell.NewEventPaste(false)}
	}
	walks(t, "tab", 60, 16, lists, slices.Concat([]any{begun}, paste("/theme "), keys("n"), []any{follow}, keys("Tab", "Down", "Enter", "Ctrl-U"), paste("/theme n"), keys("Tab"), []any{follow}, keys("Esc", "Ctrl-U"),
		paste("see "), keys("@"), []any{follow}, keys("x"), []any{follow, follow}, keys("Tab", "Ctrl-U"), []any{tcell.NewEventPaste(false)}, paste(strings.Repeat("many words ", 200)), keys("Tab", "Ctrl-U"), keys("Ctrl-F"), paste("found"), keys("Esc"))...)
}
