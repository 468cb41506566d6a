package tui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/tui"
	"marvin/ui/view"
)

// picks opens a list on a screen. The channel receives the result.
func picks(t *testing.T, items []view.Item) (*person, chan string) {
	t.Helper()
	return picksWith(t, items, nil)
}

// shelf has the items of a lazy list, and the items that match a query by other text.
type shelf struct {
	items []view.Item
	about func(query string) []int
	waits chan struct{} // before the items are searched; nil for nothing
	said  chan string
}

func (s *shelf) Len() int                 { return len(s.items) }
func (s *shelf) Item(index int) view.Item { return s.items[index] }
func (s *shelf) Chosen(index int)         { s.said <- fmt.Sprint("chosen ", index, " of all") }

func (s *shelf) VisitItems(visit func(int, view.Item) bool) {
	if s.waits != nil {
		<-s.waits
	}
	for i := len(s.items) - 1; i >= 0 && visit(i, s.items[i]); i-- { // in any order
	}
}

func (s *shelf) About(_ context.Context, query string) []int {
	if s.about == nil {
		return nil
	}
	return s.about(query)
}

func picksWith(t *testing.T, items []view.Item, rest func(said chan string) command.LazyList) (*person, chan string) {
	t.Helper()
	talk, said := newScripted(), make(chan string, 16)
	fronts := make(chan command.Front, 1)
	p := sitWith(t, talk, 60, 14, func(config *tui.Config) {
		config.Engine = func(front command.Front) *command.Engine {
			fronts <- front
			return &command.Engine{Env: command.Env{Client: talk, Front: front, Now: time.Now}}
		}
	})
	talk.say(opened)
	front := <-fronts
	front.Go(func() func() {
		return func() {
			pick := command.Pick{
				List:   view.List{Title: "Which one?", Items: items},
				Chosen: func(index int) { said <- fmt.Sprint("chosen ", index) },
				Moved:  func(index int) { said <- fmt.Sprint("moved ", index) },
				Left:   func() { said <- "left" },
			}
			if rest != nil {
				pick.Source, pick.Moved = rest(said), nil
			}
			front.Pick(pick)
		}
	})
	p.sees("Which one?", "type to search")
	return p, said
}

func (p *person) hears(said chan string, want string) {
	p.t.Helper()
	select {
	case got := <-said:
		if got != want {
			p.t.Fatalf("heard %q, want %q", got, want)
		}
	case <-time.After(actorstest.Patience):
		p.t.Fatalf("never heard %q", want)
	}
}

func TestUserChoosesFromAListBySearching(t *testing.T) {
	p, said := picks(t, []view.Item{{Text: "the weather"}, {Text: "mend the parser", Note: "3 turns", Preview: "The brackets are off."}, {Text: "a parser"}})
	p.press("Down")
	p.hears(said, "moved 1")
	p.sees("▸ mend the parser", "3 turns", "The brackets are off.")
	p.press("p", "a", "r")
	p.sees("search: par", "(2 of 3)")
	p.seesNo("the weather")
	for range 3 {
		<-said // where the cursor went while it was typed
	}
	p.press("Enter")
	p.hears(said, "chosen 1")
	p.seesNo("Which one?")
}

func TestAListFindsWhatWasSaid(t *testing.T) {
	items := []view.Item{{Text: "the weather"}, {Text: "mend the parser"}, {Text: "brackets"}}
	p, said := picksWith(t, items[:1], func(said chan string) command.LazyList {
		return &shelf{items: items, said: said, about: func(query string) []int {
			if query == "brackets" {
				return []int{1, 2}
			}
			return nil
		}}
	})
	p.press("b", "r", "a", "c", "k", "e", "t", "s")
	p.sees("▸ brackets", "mend the parser", "(2 of 3)")
	p.seesNo("the weather")
	p.press("Down", "Enter")
	p.hears(said, "chosen 1 of all")
}

func TestEnterWaitsForWhatIsTyped(t *testing.T) {
	items := []view.Item{{Text: "the weather"}, {Text: "mend the parser"}, {Text: "brackets"}}
	waits := make(chan struct{})
	p, said := picksWith(t, items[:1], func(said chan string) command.LazyList {
		return &shelf{items: items, said: said, waits: waits, about: func(string) []int { return []int{2} }}
	})
	p.sees("mend the parser")
	p.press("p", "a", "r", "Enter")
	p.sees("search: par", "▸ the weather") // it is not found yet
	close(waits)
	p.hears(said, "chosen 1 of all")
	p.seesNo("Which one?")

	p, said = picksWith(t, items[:1], func(said chan string) command.LazyList {
		return &shelf{items: items, said: said, about: func(string) []int { return []int{2} }}
	})
	p.press("o", "w", "l", "Enter") // only the spoken form has it
	p.hears(said, "chosen 2 of all")
}

// After the list is closed, the draft is there again, without the keys that were pressed in the
// list.
func TestALeftListChangesNothing(t *testing.T) {
	p, said := picks(t, []view.Item{{Text: "one"}, {Text: "two", Off: "its key is missing"}})
	p.press("t", "w")
	p.sees("search: tw", "its key is missing")
	p.press("Enter") // it cannot be chosen
	p.press("Ctrl-U")
	p.sees("▸ one")
	p.press("Esc")
	for {
		if got := <-said; got == "left" {
			break
		} else if strings.HasPrefix(got, "chosen") {
			t.Fatal("what cannot be chosen was chosen")
		}
	}
	f := p.seesNo("Which one?")
	if !strings.Contains(f.String(), "›") || strings.Contains(f.String(), "› tw") {
		t.Errorf("the input is not what it was:\n%s", f)
	}
}

// The text of an old prompt is put into the input, and the draft is not lost.
func TestAnOldPromptIsPutIntoTheInput(t *testing.T) {
	talk := newScripted()
	p := sitWith(t, talk, 60, 14)
	talk.say(opened, messages.TurnStarted{Prompt: "plan the trip"}, messages.TurnEnded{Outcome: messages.Completed, Text: "By train."})
	p.sees("By train.")
	p.press("half a thought")
	p.sees("› half a thought")
	talk.say(messages.Cleared{Why: messages.ClearedRewind}, messages.Rewound{Prompt: "plan the trip"})
	p.sees("› plan the trip", "back at the point before this")
	p.seesNo("By train.")
	p.press("Up", "Up")
	p.sees("› half a thought")
}

// A list opens at once, and slow items are added later.
func TestPickerLoadsLateItems(t *testing.T) {
	talk, chosen, arrived := newScripted(), make(chan int, 1), make(chan struct{})
	fronts := make(chan command.Front, 1)
	p := sitWith(t, talk, 60, 14, func(config *tui.Config) {
		config.Engine = func(front command.Front) *command.Engine {
			fronts <- front
			return &command.Engine{Env: command.Env{Client: talk, Front: front, Now: time.Now}}
		}
	})
	talk.say(opened)
	front := <-fronts
	front.Go(func() func() {
		return func() {
			front.Pick(command.Pick{
				List: view.List{Title: "Which one?", Items: []view.Item{{Text: "none"}, {Text: "one"}}}, Chosen: func(index int) { chosen <- index },
				Later: func() func() []view.Item {
					<-arrived
					return func() []view.Item { return []view.Item{{Text: "zero"}, {Text: "one"}, {Text: "two"}} }
				},
			})
		}
	})
	p.sees("▸ none")
	p.seesNo("two")
	p.press("Down") // a key while it is waited for
	p.sees("▸ one")
	close(arrived)
	p.sees("zero", "▸ one", "two")
	p.press("Down", "Enter")
	if got := <-chosen; got != 2 {
		t.Errorf("%d was chosen", got)
	}
}
