package lineedit

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// stands is an editor as a golden file has it: its text with a bar where the cursor is.
func stands(e *Editor) string {
	var text strings.Builder
	for i, each := range e.buffer {
		if i == e.cursor {
			text.WriteString("│")
		}
		if each.chip != "" {
			text.WriteString(each.chip)
		} else {
			text.WriteString(each.text)
		}
	}
	if e.cursor == len(e.buffer) {
		text.WriteString("│")
	}
	return strings.ReplaceAll(text.String(), "\n", "¶")
}

const begun = "one two_2  three, (four);\n\n  日本 e\u0301 🇩🇪x\nlast.line of-it"

// Keys of all kinds in no order, and what each left, stand in this file; UPDATE_GOLDEN=1
// writes it anew.
func TestGoldenKeysInNoOrder(t *testing.T) {
	var all strings.Builder
	random := rand.New(rand.NewPCG(3, 4))
	history := &History{}
	for _, said := range []string{"make all", "remake\nit", "all of it"} {
		history.Add(said)
	}
	e := &Editor{}
	keys := []struct {
		name string
		do   func()
	}{
		{"left", e.Left},
		{"right", e.Right},
		{"left", e.Left},
		{"word left", e.WordLeft},
		{"word right", e.WordRight},
		{"start", e.Start},
		{"end", e.End},
		{"line start", e.LineStart},
		{"line end", e.LineEnd},
		{"backspace", e.Backspace},
		{"delete", e.Delete},
		{"kill to end", e.KillToEnd},
		{"kill to start", e.KillToStart},
		{"kill word left", e.KillWordLeft},
		{"kill word right", e.KillWordRight},
		{"yank", e.Yank},
		{"yank", e.Yank},
		{"yank older", e.YankOlder},
		{"undo", e.Undo},
		{"undo", e.Undo},
		{"redo", e.Redo},
		{"clear", e.Clear},
		{"type a letter", func() { e.Insert("a") }},
		{"type a blank", func() { e.Insert(" ") }},
		{"type a word", func() { e.Insert("né") }},
		{"type a break", func() { e.Insert("\n") }},
		{"paste", func() { e.Paste("p\nq") }},
		{"paste much", func() { e.Paste(strings.Repeat("x\n", 20)) }},
		{"attach", func() { e.Attach("/a/b.png", "[b.png]") }},
		{"open", func() { e.OpenChip() }},
		{"up", func() { e.Up(12) }},
		{"down", func() { e.Down(12) }},
		{"up", func() { e.Up(7) }},
		{"down", func() { e.Down(7) }},
		{"older", func() {
			if text, ok := history.Older(e.Text()); ok {
				e.SetText(text)
			}
		}},
		{"newer", func() {
			if text, ok := history.Newer(); ok {
				e.SetText(text)
			}
		}},
		{"begin again", func() { e.SetText(begun) }},
	}
	e.SetText(begun)
	for range 500 {
		key := keys[random.IntN(len(keys))]
		key.do()
		rows, row, column := e.Rows(9)
		fmt.Fprintf(&all, "%s: %s (%d rows, %d/%d)\n", key.name, stands(e), len(rows), row, column)
		if len(e.buffer) > 90 {
			e.SetText(begun)
		}
	}
	goldentest.Hold(t, "keys.txt", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}

// Keys of vi in no order, and from each place each operator with each motion, stand in this
// file; UPDATE_GOLDEN=1 writes it anew.
func TestGoldenKeysOfVi(t *testing.T) {
	var all strings.Builder
	press := func(v *Vim, e *Editor, keys ...string) (wishes string) {
		for _, key := range keys {
			wish, taken := v.Key(e, key, key == " " || len(key) == 1 || key == "é")
			if wish != (Wish{}) {
				wishes += fmt.Sprint(" ", wish.Action, " ", wish.Times)
			}
			if !taken {
				wishes += " not taken"
				if !v.normal && key != "Esc" {
					e.Insert(key)
				}
			}
		}
		return wishes
	}
	for _, operator := range []string{"", "d", "c", "y"} {
		for _, motion := range strings.Split("h l w W b B e E 0 ^ $ d c y x X D C s S Y p P i a I A o O u J", " ") {
			for _, count := range []string{"", "2"} {
				if operator != "" && strings.Contains("xXDCsSYpPiaIAoOu", motion) {
					continue // no motion, as J is none
				}
				var left []string
				before := ""
				for at := range 19 {
					e, v := &Editor{}, &Vim{}
					e.SetText("a b_c,  d.e\n\n  日 f")
					e.Start()
					for range at {
						e.Right()
					}
					press(v, e, "Esc")
					keep(e, "kept")
					keys := strings.Split(count+operator+motion, "")
					wished := press(v, e, keys...)
					state := stands(e)
					if !v.normal {
						state += " types"
					}
					if state += wished + " " + v.operator; state != before {
						left = append(left, fmt.Sprint(at, " ", strings.TrimSpace(state)))
					}
					before = state
				}
				fmt.Fprintf(&all, "%s%s%s: %s\n", count, operator, motion, strings.Join(left, " | "))
			}
		}
	}
	random := rand.New(rand.NewPCG(5, 6))
	e, v := &Editor{}, &Vim{}
	e.SetText(begun)
	keys := strings.Split("Esc Esc Esc Ctrl-R Backspace Enter Up h l w b e 0 ^ $ d c y r x X D C s S Y j k / ? i a I A o O u u p P 1 2 3 9 é .", " ")
	for range 500 {
		key := keys[random.IntN(len(keys))]
		if !v.normal && random.IntN(3) == 0 {
			key = "Esc"
		}
		wished := press(v, e, key)
		fmt.Fprintf(&all, "%s: %s%s normal %v, %d %d %q\n", key, stands(e), wished, v.normal, v.count, v.outer, v.operator)
		if len(e.buffer) > 90 || len(e.buffer) == 0 {
			e.SetText(begun)
		}
	}
	goldentest.Hold(t, "vi.txt", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
