package view_test

import (
	"testing"

	"marvin/messages"
	"marvin/ui/view"
)

func TestFootnotes(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"at the end":        {"One[^1] and two[^2].\n\n[^1]: https://a.example\n[^2]: A *book*.\n", "● One[1] and two[2].\n\n  [1] https://a.example\n  [2] A book.\n"},
		"in the middle":     {"One[^1].\n\n[^1]: The note.\n\nMore.\n", "● One[1].\n\n  More.\n\n  [1] The note.\n"},
		"before code":       {"One[^1].\n\n[^1]: The note.\n\n```\nx", "● One[1].\n\n  ╭╴\n  x\n\n  [1] The note.\n"},
		"of several rows":   {"A[^12].\n\n[^12]: a note that is too long for one row\n", "● A[12].\n\n  [12] a note that is\n       too long for one\n       row\n"},
		"goes on indented":  {"A[^1].\n\n[^1]: first\n    second\n", "● A[1].\n\n  [1] first\n      second\n"},
		"with a name":       {"A[^book].\n\n[^book]: B\n", "● A[^book].\n\n  [^book] B\n"},
		"a set of letters":  {"all of [^a-z] and [^0-9]\n", "● all of [^a-z] and\n  [^0-9]\n"},
		"in code":           {"`[^1]`\n", "● [^1]\n"},
		"nothing but notes": {"[^1]: B\n", "● [1] B\n"},
	} {
		t.Run(name, func(t *testing.T) {
			whole := shown(messages.Text{Chunk: test.text})
			if got := plainDrawing(whole); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			v := shown()
			var window view.Window
			for _, char := range test.text {
				v.Apply(messages.Envelope{Event: messages.Text{Chunk: string(char)}})
				window.Show(v.Blocks, 24, 100, start)
			}
			if got := text(window.Show(v.Blocks, 24, 100, start)); got != test.want {
				t.Errorf("letter by letter\n%s", got)
			}
		})
	}
}

func plainDrawing(v *view.View) string {
	return text((&view.Window{}).Show(v.Blocks, 24, 100, start))
}

func text(rows []view.Line) (all string) {
	for _, row := range rows {
		all += row.String() + "\n"
	}
	return all
}
