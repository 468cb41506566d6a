package tui

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/ui/command"
	"marvin/ui/view"
)

// said is rows with their roles by number.
func said(rows []view.Line) string {
	var text strings.Builder
	for _, row := range rows {
		text.WriteString("|")
		for _, span := range row {
			fmt.Fprintf(&text, "%d:%s ", span.Role, span.Text)
		}
	}
	return text.String()
}

// What the parts of the screen make of what they get, at the edges of it, stands in this file;
// UPDATE_GOLDEN=1 writes it anew.
func TestGoldenParts(t *testing.T) {
	var all strings.Builder
	plans := []string{"", "d", "p", "dip", "ddd", "pppppppp", "ddddipppp", "pppppppi", "dcdcip", "ipppppppp"}
	status := map[rune]messages.StepStatus{'d': messages.StepDone, 'i': messages.StepInProgress, 'p': messages.StepPending, 'c': messages.StepCancelled}
	for _, letters := range plans {
		for _, why := range []string{"", "why"} {
			plan := messages.Plan{Why: why}
			for i, letter := range letters {
				plan.Steps = append(plan.Steps, messages.Step{Text: fmt.Sprint(i), Status: status[letter]})
			}
			for size := planSize(0); size < planSizes; size++ {
				for _, room := range []int{2, 3, 5, 8, 20} {
					fmt.Fprintf(&all, "plan %q %s %d in %d: %s\n", letters, why, size, room, said([]view.Line{planRows(plan, size, room)}))
				}
			}
		}
	}
	for _, keys := range []string{"", "a", "\x1b", "\x1b\x1b", "\x1b]", "\x1b]1", "\x1b]9;x", "\x1b]:", "\x1b_x", "a\x1b^\x1bX\x1bN\x1b\r\x1b\x7fb", "\x1b[A", "\x1bO"} {
		fmt.Fprintf(&all, "keys %q are %q\n", keys, altKeys([]byte(keys)))
	}
	for _, answer := range []string{"", "rgb:", "rgb:1/2/3", "rgb:ff/80/00", "rgb:ffff/8000/0000", "rgba:f/f/f/0", "rgb:1/2", "rgb:12345/0/0", "rgb:g/0/0", "x:1/2/3", "1/2/3", "rgb:/1/2", "rgb:+1/2/3"} {
		colour, ok := groundIn(answer)
		fmt.Fprintf(&all, "ground %q is %06x %v\n", answer, int(colour), ok)
	}
	for _, key := range []tcell.Key{tcell.KeyRune, tcell.KeyBacktab, tcell.KeyEnter, tcell.KeyTab, tcell.KeyEsc, tcell.KeyBackspace, tcell.KeyBackspace2, tcell.KeyCtrlA, tcell.KeyCtrlSpace, tcell.KeyCtrlUnderscore, tcell.KeyUp, tcell.KeyF5, 1, 31} {
		for _, mods := range []tcell.ModMask{0, tcell.ModShift, tcell.ModAlt, tcell.ModMeta, tcell.ModCtrl, tcell.ModCtrl | tcell.ModAlt | tcell.ModShift} {
			event := tcell.NewEventKey(key, 'x', mods)
			fmt.Fprintf(&all, "key %d with %d is %q %q\n", key, mods, chord(event), printable(event))
		}
	}
	for _, text := range []string{"", "task", "> task\n> goes on\n\nSaid *it*.\n\nMore.", "a\n\n→ grep x\n\n✓ 3 lines\n\n✗ gone\n\nwords that are wider than the window\n\n» job", "a\n\n• note\n\n\n\n", "a\n\n→nothing\n\n→"} {
		for _, width := range []int{1, 12, 40} {
			fmt.Fprintf(&all, "agent %q in %d: %s\n", text, width, said(agentRows(text, width)))
		}
	}
	row := func(texts ...string) (rows []view.Line) {
		for _, text := range texts {
			line := view.Line{{Text: text}}
			if text == "" {
				line = nil
			}
			rows = append(rows, line)
		}
		return rows
	}
	for _, each := range [][2]string{{"a b c d e f", "b c d e f g"}, {"a b c d e f", "x a b c d e"}, {"a b c d e f", "c d e f g h"}, {"a b c d e f", "d e f g h i"}, {"a b c d e f", "e f g h i j"}, {"a a a a a a", "a a a a a b"}, {"a b c d e f", "a b c d e f"}, {"a b c", "b c d"}, {"a b c d", "b c d e"}, {"a  b  c  d", "  b  c  d  e"}, {"a b c d e f", "b c x y z w"}} {
		before, after := row(strings.Split(each[0], " ")...), row(strings.Split(each[1], " ")...)
		if len(before) == len(after) {
			fmt.Fprintf(&all, "%q became %q: moved by %d\n", each[0], each[1], shift(before, after))
		}
	}
	for _, prompt := range []messages.Prompt{{Text: "a"}, {Text: "/help"}, {Text: "quit"}, {Text: " x"}, {Text: "!ls"}, {Text: "a", Provider: "mine"}} {
		fmt.Fprintf(&all, "prompt %+v is typed %q\n", prompt.Text, typedAs(prompt))
	}
	for _, word := range []string{"", "@", "@a", "@/a", "@~", "@.", "a@", "@@"} {
		fmt.Fprintf(&all, "%q is searched %v\n", word, searched(word))
	}
	for _, widths := range [][]int{nil, {5}, {11, 12, 13}, {37, 38}, {39, 5}, {60}} {
		var shown []command.Completion
		for _, width := range widths {
			shown = append(shown, command.Completion{Item: strings.Repeat("x", width)})
		}
		fmt.Fprintf(&all, "notes beside %v stand at %d\n", widths, noteColumn(shown))
	}
	for _, tokens := range []int{0, 999, 1000, 1499, 1500, 200_000} {
		fmt.Fprintf(&all, "%d tokens are %s, as problems %q\n", tokens, thousands(tokens), problemCount(tokens))
	}
	for _, line := range []view.Line{nil, {{Text: " a"}, {Text: "b"}}, {{Role: view.Code, Text: "a"}, {Text: " b"}}, {{Text: ""}}} {
		fmt.Fprintf(&all, "focused %s\n", said([]view.Line{focused(line)}))
	}
	for _, width := range []int{20, 32, 33, 34, 60} {
		fmt.Fprintf(&all, "behind in %d: %q %q\n", width, behind("Directory  ~/a/path that is/long and longer still", width), behind("Directory", width))
	}
	goldentest.Hold(t, "parts.golden", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
