package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/termsafe"
	"marvin/ui/view"
)

// This file implements /tree, /branch and other commands for the branches of a conversation.

type branches struct {
	*Env
	waits *pendingAnswers
}

// withTree requests the conversation's tree. When the tree arrives, the given function is called
// with the turns of the tree.
func (b branches) withTree(handle func(turns []messages.TreeTurn)) {
	b.waits.tree = handle
	b.ask("read the conversation", messages.ListTree{})
}

// tree lets the user see all turns and continue after one of them.
func (b branches) tree(string) {
	b.withTree(func(turns []messages.TreeTurn) {
		shown := grow(turns)
		items, now := make([]view.Item, len(shown)), b.Now()
		for i, each := range shown {
			items[i] = each.item(now)
		}
		if len(items) == 0 {
			b.say("This conversation has no messages yet.")
			return
		}
		items[len(items)-1].Now = shown[len(shown)-1].turn.Current
		if b.Front.Pick(Pick{
			List:   view.List{Title: "Branches of this conversation: from which message do you want to continue?", Items: items},
			Chosen: func(at int) { b.goTo(shown[at].turn) },
		}) {
			return
		}
		var text strings.Builder
		for _, each := range shown {
			fmt.Fprintf(&text, "%s\n", each.line())
		}
		b.say(text.String() + "* marks the current branch. /branch NUMBER or /branch LABEL continues from another message; /label TEXT names this point.")
	})
}

// placedTurn is a turn with its place in the tree.
type placedTurn struct {
	turn   messages.TreeTurn
	number int // the number that users type
	depth  int // the number of branch points above the turn
}

// grow sorts the turns for display. Each turn comes after its predecessor, and the current branch
// comes last. Only a turn with several successors increases the indentation below it.
func grow(turns []messages.TreeTurn) (all []placedTurn) {
	below := map[int64][]int{}
	for i, turn := range turns {
		below[turn.Parent] = append(below[turn.Parent], i)
	}
	var todo []placedTurn // a stack, because a conversation may have 10,000 consecutive turns
	push := func(parent int64, depth int) {
		next := below[parent]
		if len(next) > 1 {
			slices.SortStableFunc(next, func(a, b int) int { return order(turns[a].Current) - order(turns[b].Current) })
			depth++
		}
		for _, i := range slices.Backward(next) {
			todo = append(todo, placedTurn{turns[i], i + 1, depth})
		}
	}
	for push(0, 0); len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		all = append(all, at)
		push(at.turn.Entry, at.depth)
	}
	return all
}

func order(current bool) int {
	if current {
		return 1
	}
	return 0
}

func (g placedTurn) mark() string {
	if g.turn.Current {
		return "*"
	}
	return " "
}

// text returns an indented line: the turn's label and the first line of the prompt.
func (g placedTurn) text() string {
	text := strings.Repeat("  ", min(g.depth, 12)) + oneLine(g.turn.Prompt)
	if g.turn.Label != "" {
		text = strings.Repeat("  ", min(g.depth, 12)) + "[" + oneLine(g.turn.Label) + "] " + oneLine(g.turn.Prompt)
	}
	return text
}

func (g placedTurn) line() string {
	return fmt.Sprintf("%s %3d. %s  (%s)", g.mark(), g.number, view.Cut(g.text(), 100), g.turn.At.Local().Format("2 Jan 15:04"))
}

func (g placedTurn) item(now time.Time) view.Item {
	return view.Item{
		Text: g.mark() + " " + g.text(), Words: strconv.Itoa(g.number), Preview: g.turn.Prompt,
		Note: join(" · ", string(g.turn.Outcome), fmt.Sprintf("%d", g.number), ago(now, g.turn.At)),
	}
}

func oneLine(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return termsafe.Line(text)
}

func (b branches) goTo(turn messages.TreeTurn) {
	b.ask("go to the branch", messages.Branch{Entry: turn.Entry})
}

// branch resumes the conversation after the turn with the given number or label. Without an
// argument, branch shows the tree.
func (b branches) branch(named string) {
	if named == "" {
		b.tree("")
		return
	}
	b.withTree(func(turns []messages.TreeTurn) {
		if at, err := pick(named, len(turns)); err != nil {
			b.warn(err.Error() + "; /tree shows them.")
			return
		} else if at >= 0 {
			b.goTo(turns[at])
			return
		}
		var labels []string
		for _, turn := range slices.Backward(turns) {
			if turn.Label != "" && strings.EqualFold(turn.Label, named) {
				b.goTo(turn)
				return
			}
			if turn.Label != "" {
				labels = append(labels, turn.Label)
			}
		}
		b.warn("No place is called " + named + suggestOr(named, labels, "; /tree shows the branches, /label TEXT names a place."))
	})
}

func (b branches) label(text string) {
	if text == "" {
		b.warn("Usage: /label TEXT gives this point in the conversation a name; /branch TEXT returns to it, /tree shows it.")
		return
	}
	b.ask("name the place", messages.Label{Text: text})
}

// retry resends an earlier prompt on a new branch.
func (b branches) retry(text string) {
	if count, ok := b.promptsBack(text, "/retry"); ok {
		b.ask("go back", messages.Rewind{Prompts: count, Again: true})
	}
}

// promptsBack parses the argument of /retry or /rewind. The default is 1 (the last prompt).
func (b branches) promptsBack(text, command string) (count int, ok bool) {
	if text == "" {
		return 1, true
	}
	count, err := strconv.Atoi(text)
	if err != nil || count < 1 {
		b.warn("Usage: " + command + " [N]: 1 is the last prompt, 2 the one before it.")
		return 0, false
	}
	return count, true
}

// rewind goes back to an earlier prompt and lets the user change that prompt.
func (b branches) rewind(text string) {
	if text != "" {
		if count, ok := b.promptsBack(text, "/rewind"); ok {
			b.ask("go back", messages.Rewind{Prompts: count})
		}
		return
	}
	b.withTree(func(turns []messages.TreeTurn) {
		turns = slices.DeleteFunc(slices.Clone(turns), func(turn messages.TreeTurn) bool { return !turn.Current })
		slices.Reverse(turns)
		items := make([]view.Item, len(turns))
		for i, turn := range turns {
			items[i] = view.Item{Text: oneLine(turn.Prompt), Note: join(" · ", turn.Label, ago(b.Now(), turn.At)), Preview: turn.Prompt}
		}
		chosen := func(at int) { b.ask("go back", messages.Rewind{Prompts: at + 1}) }
		switch {
		case len(turns) == 0:
			b.say("There is no prompt to go back to.")
		case b.Front.Pick(Pick{List: view.List{Title: "Change which prompt? Later messages are kept as a branch (/tree).", Items: items}, Chosen: chosen}):
		default:
			var lines strings.Builder
			for i, turn := range turns[:min(len(turns), mostSessions)] {
				fmt.Fprintf(&lines, "%3d. %s\n", i+1, view.Cut(oneLine(turn.Prompt), 100))
			}
			b.say(lines.String() + "/rewind N goes back to prompt N, so that you can change it; later messages are kept as a branch.")
		}
	})
}

// askAside asks a question outside the conversation.
func (b branches) askAside(text string) {
	if text == "" {
		b.warn("Usage: /btw QUESTION asks a side question; the model remembers neither the question nor the answer.")
		return
	}
	b.ask("ask", messages.SideQuestion{Text: text})
}

func (b branches) handoff(focus string) {
	b.ask("sum up the conversation", messages.Handoff{Focus: focus})
}
