package tui_test

import (
	"strings"
	"testing"

	"marvin/messages"
	"marvin/ui/slash"
	"marvin/ui/tui"
)

// withFiles returns a screen for a directory with two files.
func withFiles(t *testing.T, talk *scripted) *person {
	return sitWith(t, talk, 100, 20, func(c *tui.Config) {
		c.Complete = func(kind slash.Kind, _, prefix string) (found []slash.Completion) {
			for _, name := range []string{"src/", "src/main.go", "src/main_test.go"} {
				if kind == slash.KindPath && strings.HasPrefix(name, prefix) && strings.Count(strings.TrimSuffix(name, "/"), "/") == strings.Count(prefix, "/") ||
					kind == slash.KindFile && strings.Contains(name, prefix) {
					found = append(found, slash.Completion{Item: name})
				}
			}
			return found
		}
	})
}

func TestEnterTakesTheFirstFileThatIsSearched(t *testing.T) {
	talk := newScripted()
	p := withFiles(t, talk)
	talk.say(opened)
	p.press("see @main")
	p.sees("  src/main.go", "Enter", "  src/main_test.go")
	p.press("Enter")
	p.sees("› see @src/main.go")
	p.press(":1-3")
	p.sees("› see @src/main.go:1-3")
	p.press("Enter")
	if prompt, ok := nextOp(t, talk).(messages.Prompt); !ok || prompt.Text != "see @src/main.go:1-3" {
		t.Errorf("sent %+v", prompt)
	}
}

func TestEnterTakesShownFile(t *testing.T) {
	mains := []string{"src/main.go", "src/main_test.go"}
	found := map[string][]string{"m": mains, "ma": mains}
	long, other := make(chan struct{}), make(chan struct{}) // lookups continue after closing
	talk := newScripted()
	p := sitWith(t, talk, 100, 20, func(c *tui.Config) {
		c.Complete = func(kind slash.Kind, _, prefix string) []slash.Completion {
			if kind != slash.KindFile {
				return nil
			}
			switch {
			case len(prefix) > len("ma"):
				<-long
			case prefix == "mn":
				<-other
			}
			return slash.WithoutNotes(found[prefix])
		}
	})
	talk.say(opened)
	p.press("see @ma")
	p.sees("  src/main.go", "Enter", "  src/main_test.go")
	p.press("in_")
	p.until("only what fits is shown", func(f frame) bool {
		shown := f.String()
		return strings.Contains(shown, "› see @main_") && strings.Contains(shown, "  src/main_test.go  Enter") && !strings.Contains(shown, "  src/main.go")
	})
	p.press("Enter")
	p.sees("› see @src/main_test.go")
	close(long)
	p.press("Ctrl-U", "@m")
	p.sees("› @m", "  src/main.go")
	p.press("n")
	p.sees("› @mn", "  src/main.go", "  src/main_test.go")
	close(other)
	p.seesNo("  src/main")
	p.press("Enter")
	if prompt, ok := nextOp(t, talk).(messages.Prompt); !ok || prompt.Text != "@mn" {
		t.Errorf("sent %+v", prompt)
	}
}

func TestTabTakesTheFirstFileThatIsSearched(t *testing.T) {
	talk := newScripted()
	p := withFiles(t, talk)
	talk.say(opened)
	p.press("@main")
	p.sees("  src/main.go", "  src/main_test.go")
	p.press("Tab")
	p.sees("› @src/main.go")
	p.press("Ctrl-U", "@main")
	p.sees("  src/main.go", "  src/main_test.go")
	p.press("Down", "Down", "Enter")
	p.sees("› @src/main_test.go")
}

// A command whose name is the typed text ranks before commands that only contain its letters.
func TestExactCommandRanksFirst(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 80, 20, func(c *tui.Config) {
		c.Complete = func(kind slash.Kind, _, prefix string) []slash.Completion {
			return slash.Matching([]slash.Completion{{Item: "/hi", Note: "say hi"}}, prefix)
		}
	})
	talk.say(opened)
	p.press("/hi")
	if shown := p.sees("› /hi", "say hi").String(); strings.Contains(shown, "/thinking") {
		t.Errorf("it is below another one:\n%s", shown)
	}
}

func TestCompletionNotesAlign(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 100, 20, func(c *tui.Config) {
		c.Complete = func(kind slash.Kind, _, _ string) []slash.Completion {
			if kind != slash.KindTool {
				return nil
			}
			return []slash.Completion{
				{Item: "calculate", Note: "exactly"},
				{Item: "calendar_list_upcoming", Note: "the coming events"},
				{Item: "calendar" + strings.Repeat("_and_more", 5), Note: "too long to wait for"},
			}
		}
	})
	talk.say(opened)
	p.press("/tools ca")
	p.sees("\n  calculate               exactly\n", "\n  calendar_list_upcoming  the coming events\n", "_and_more too long to wait for\n")
}

// While a search for a word runs, further words wait. After the search only the last of them is
// searched.
func TestTheLastWordIsSearched(t *testing.T) {
	talk, words, goOn := newScripted(), make(chan string, 10), make(chan struct{})
	p := sitWith(t, talk, 100, 20, func(c *tui.Config) {
		c.Complete = func(kind slash.Kind, _, word string) []slash.Completion {
			if kind != slash.KindFile {
				return nil
			}
			words <- word
			<-goOn
			return []slash.Completion{{Item: word + ".txt"}}
		}
	})
	talk.say(opened)
	p.press("@k")
	first := <-words
	p.press("ettle")
	p.sees("› @kettle")
	close(goOn)
	p.sees("  kettle.txt")
	if last := <-words; first != "k" || last != "kettle" || len(words) > 0 {
		t.Errorf("searched %q, then %q and %d more", first, last, len(words))
	}
}

func TestEnterSendsAWholeName(t *testing.T) {
	talk := newScripted()
	p := withFiles(t, talk)
	talk.say(opened)
	for _, whole := range []string{"@src/main.go", "@src/"} {
		p.press(whole)
		p.sees("  src/main.go")
		p.press("Enter")
		if prompt, ok := nextOp(t, talk).(messages.Prompt); !ok || prompt.Text != whole {
			t.Errorf("sent %+v, want %s", prompt, whole)
		}
		talk.say(messages.TurnStarted{}, messages.TurnEnded{Outcome: messages.Completed})
		p.sees("Ask anything")
	}
}

// On a narrow screen, the text of queued prompts has priority over the hint about them.
func TestQueuedPromptOnNarrowScreen(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 40, 12, func(*tui.Config) {})
	talk.say(opened, messages.TurnStarted{})
	p.sees("waiting for the model")
	p.press("in green, please", "Enter")
	p.sees("⏳ in green, please")
}
