package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/termsafe"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

// secrets contains the secret that the user is typing, if any. The secret is never in the input, in
// the draft, in the history or on the screen.
type secrets struct {
	frame *canvas.Canvas
	open  *secret // nil for none
}

type secret struct {
	command.Secret
	text string
}

// longestSecret is the maximum length of a secret in bytes.
const longestSecret = 4096

// Secret implements [command.Forms].
func (f front) Secret(open command.Secret) {
	f.picker.close(true)
	f.input.complete.open, f.help.open, f.input.past.search = nil, nil, nil
	f.secret.open = &secret{Secret: open}
	f.frame.Dirty, f.frame.Soon = true, true
}

// key interprets a key that the user presses while typing a secret. It returns false for keys that
// keep their usual action.
func (s *secrets) key(name string, event *tcell.EventKey) bool {
	open := s.open
	switch name {
	case "Ctrl-Q", "Ctrl-Z", "Ctrl-L":
		return false
	case "":
		s.insert(string(event.Rune()))
	case "Backspace", "Ctrl-H":
		_, last := utf8.DecodeLastRuneInString(open.text)
		open.text = open.text[:len(open.text)-last]
	case "Ctrl-U", "Ctrl-W":
		open.text = ""
	case "Enter":
		if text := strings.TrimSpace(open.text); text != "" {
			s.open = nil
			open.Given(text)
		}
	case "Esc", "Ctrl-C", "Ctrl-G", "Ctrl-D":
		s.open = nil
		open.Left()
	}
	return true
}

// insert adds typed or pasted text without its control characters. It ignores text that would make
// the secret too long.
func (s *secrets) insert(text string) {
	text = strings.Map(func(char rune) rune {
		if unicode.IsControl(char) {
			return -1
		}
		return char
	}, text)
	if len(s.open.text)+len(text) <= longestSecret {
		s.open.text += text
	}
}

// draw puts the question above a row and returns the number of rows drawn.
func (s *secrets) draw(bottom int) int {
	if s.open == nil {
		return 0
	}
	rows := view.Wrap(view.Line{{Role: view.Heading, Text: termsafe.Line(s.open.Title)}}, max(s.frame.Width-1, 1))
	if s.open.Problem != "" {
		rows = append(rows, view.Wrap(view.Line{{Role: view.Problem, Text: "✗ " + termsafe.Line(s.open.Problem)}}, max(s.frame.Width-1, 1))...)
	}
	rows = rows[:min(len(rows), max(bottom-2, 0))]
	s.frame.Put(bottom-len(rows), rows...)
	return len(rows)
}

// drawInput shows the length of the secret but not the secret. It returns the number of rows drawn.
func (s *secrets) drawInput(bottom int) int {
	const label = "key: "
	shown := view.Span{Role: view.Faint, Text: "paste or type it; it is not shown"}
	column := view.Width(label)
	if s.open.text != "" {
		shown = view.Span{Role: view.Plain, Text: "•••• " + messages.Counted(utf8.RuneCountInString(s.open.text), "character")}
		column += view.Width(shown.Text)
	}
	s.frame.Put(bottom-1, view.Line{{Role: view.System, Text: label}, shown})
	s.frame.Screen.ShowCursor(min(column, s.frame.Width-1), bottom-1)
	return 1
}
