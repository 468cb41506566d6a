package lineedit_test

import (
	"slices"
	"strings"
	"testing"

	"marvin/ui/lineedit"
)

// sitting is an editor with vi keys. It records the keys that vi does not handle.
type sitting struct {
	lineedit.Editor
	vim  lineedit.Vim
	left []string
}

// press presses keys: a word in <> is the name of a key, anything else is typed.
func (s *sitting) press(keys string) {
	for keys != "" {
		key, typed := keys[:1], true
		if at := strings.IndexByte(keys, '>'); key == "<" && at > 0 {
			key, keys, typed = keys[1:at], keys[at+1:], false
		} else {
			char := []rune(keys)[0]
			key, keys = string(char), keys[len(string(char)):]
		}
		wish, taken := s.vim.Key(&s.Editor, key, typed)
		switch {
		case taken:
			for range wish.Times {
				map[string]func(int) bool{"up": s.Up, "down": s.Down}[wish.Action](80)
			}
		case typed:
			s.Insert(key)
		case key == "Backspace":
			s.Backspace()
		default:
			s.left = append(s.left, key)
		}
	}
}

// shown returns the text with | at the cursor.
func (s *sitting) shown() string {
	copied := s.Editor
	copied.Insert("|")
	return copied.Text()
}

func TestKeysOfVi(t *testing.T) {
	for _, row := range []struct {
		before, keys, after string
		inserts             bool
	}{
		{before: "one |two", keys: "h", after: "one| two"},
		{before: "|one", keys: "h", after: "|one"},
		{before: "|one two", keys: "3l", after: "one| two"},
		{before: "|one", keys: "9l", after: "on|e"},
		{before: "a\n|b", keys: "h", after: "a\n|b"},
		{before: "one tw|o", keys: "0", after: "|one two"},
		{before: "  one tw|o", keys: "^", after: "  |one two"},
		{before: "|one\ntwo", keys: "$", after: "on|e\ntwo"},
		{before: "|one two.three", keys: "w", after: "one |two.three"},
		{before: "one |two.three", keys: "w", after: "one two|.three"},
		{before: "|one two.three four", keys: "2W", after: "one two.three |four"},
		{before: "|one\n\ntwo", keys: "w", after: "one\n|\ntwo"},
		{before: "|one", keys: "w", after: "on|e"},
		{before: "one two.thr|ee", keys: "b", after: "one two.|three"},
		{before: "one two.thr|ee", keys: "3b", after: "one |two.three"},
		{before: "one two.thr|ee", keys: "B", after: "one |two.three"},
		{before: "|one", keys: "b", after: "|one"},
		{before: "|one two", keys: "e", after: "on|e two"},
		{before: "on|e two", keys: "e", after: "one tw|o"},
		{before: "on|e", keys: "e", after: "on|e"},
		{before: "on|e  ", keys: "e", after: "one | "},
		{before: "|one two", keys: "9e", after: "one tw|o"},
		{before: "on|e", keys: "de", after: "o|n"},
		{before: "|one\ntwo\nthree", keys: "2j", after: "one\ntwo\n|three"},
		{before: "one\nt|wo", keys: "k", after: "o|ne\ntwo"},
		{before: "日|本語", keys: "l", after: "日本|語"},

		{before: "o|ne", keys: "x", after: "o|e"},
		{before: "on|e", keys: "x", after: "o|n"},
		{before: "|one two", keys: "3x", after: "| two"},
		{before: "on|e\ntwo", keys: "9x", after: "o|n\ntwo"},
		{before: "on|e", keys: "X", after: "o|e"},
		{before: "|one", keys: "X", after: "|one"},
		{before: "one |two", keys: "D", after: "one| "},
		{before: "one |two\nx", keys: "d$", after: "one| \nx"},
		{before: "one |two", keys: "C", after: "one |", inserts: true},
		{before: "one |two", keys: "Cbig", after: "one big|", inserts: true},
		{before: "|one two three", keys: "dw", after: "|two three"},
		{before: "|one two three", keys: "d2w", after: "|three"},
		{before: "|one two three", keys: "2dw", after: "|three"},
		{before: "one |two\n  three", keys: "dw", after: "one| \n  three"},
		{before: "one t|wo", keys: "dw", after: "one |t"},
		{before: "one |two", keys: "db", after: "|two"},
		{before: "|one two", keys: "de", after: "| two"},
		{before: "one |two", keys: "d0", after: "|two"},
		{before: "|one two", keys: "cwsome", after: "some| two", inserts: true},
		{before: "|a two", keys: "cwsome", after: "some| two", inserts: true},
		{before: "|one two three", keys: "c2wsome", after: "some| three", inserts: true},
		{before: "one\nt|wo\nthree", keys: "ccnew", after: "one\nnew|\nthree", inserts: true},
		{before: "one\nt|wo\n  three", keys: "dd", after: "one\n  |three"},
		{before: "one\nt|wo", keys: "dd", after: "|one"},
		{before: "o|ne", keys: "dd", after: "|"},
		{before: "o|ne\ntwo\nthree", keys: "2dd", after: "|three"},
		{before: "o|ne", keys: "s1", after: "o1|e", inserts: true},
		{before: "o|ne", keys: "rx", after: "o|xe"},
		{before: "o|ne two", keys: "2rx", after: "ox|x two"},
		{before: "on|e", keys: "2rx", after: "on|e"},
		{before: "o|ne", keys: "r<Esc>x", after: "o|e"},
		{before: "o|ne", keys: "d<Esc>l", after: "on|e"},
		{before: "o|ne", keys: "dq", after: "o|ne"},

		{before: "o|ne", keys: "ix", after: "ox|ne", inserts: true},
		{before: "o|ne", keys: "ax", after: "onx|e", inserts: true},
		{before: "  on|e", keys: "Ix", after: "  x|one", inserts: true},
		{before: "|one", keys: "Ax", after: "onex|", inserts: true},
		{before: "|one\ntwo", keys: "ox", after: "one\nx|\ntwo", inserts: true},
		{before: "one\n|two", keys: "Ox", after: "one\nx|\ntwo", inserts: true},
		{before: "|", keys: "Ox", after: "x|\n", inserts: true},
		{before: "|one", keys: "Ax<Esc>", after: "one|x"},

		{before: "|one two", keys: "dwp", after: "tone| wo"},
		{before: "|one two", keys: "dwP", after: "one| two"},
		{before: "|one\ntwo", keys: "ddp", after: "two\n|one"},
		{before: "one\n|two", keys: "ddP", after: "|two\none"},
		{before: "|one\ntwo", keys: "yyp", after: "one\n|one\ntwo"},
		{before: "  |one\ntwo", keys: "yyjp", after: "  one\ntwo\n  |one"},
		{before: "one\n  t|wo", keys: "yykP", after: "  |two\none\n  two"},
		{before: "|a\nb\nc", keys: "2yyjp", after: "a\nb\n|a\nb\nc"},
		{before: "|a\nb", keys: "yy2p", after: "a\n|a\na\nb"},
		{before: "|ab", keys: "x3p", after: "baa|a"},
		{before: "|one two", keys: "yw$p", after: "one twoone| "},
		{before: "|one", keys: "p", after: "|one"},

		{before: "|one two three", keys: "dwdwu", after: "|two three"},
		{before: "|one two three", keys: "dwdw2u", after: "|one two three"},
		{before: "|one two three", keys: "dwdw2u<Ctrl-R>", after: "|two three"},
		{before: "|one", keys: "Athe rest of it<Esc>u", after: "on|e"},
		{before: "|one two", keys: "cwwhat a word<Esc>u", after: "|one two"},
		{before: "|one two", keys: "cwwhat a word<Esc>u<Ctrl-R>", after: "what a wor|d two"},
	} {
		var s sitting
		before, after, _ := strings.Cut(row.before, "|")
		s.Insert(before + after)
		s.press("<Esc>")
		s.Start()
		for range len([]rune(before)) {
			s.Right()
		}
		s.press(row.keys)
		if got := s.shown(); got != row.after || s.vim.Normal() == row.inserts {
			t.Errorf("%q and %s: %q in normal mode %v, want %q", row.before, row.keys, got, s.vim.Normal(), row.after)
		}
		if len(s.left) > 0 {
			t.Errorf("%q and %s: left %q to others", row.before, row.keys, s.left)
		}
	}
}

func TestKeysOfViLeaveTheRest(t *testing.T) {
	var s sitting
	s.press("one<Up><Enter><Esc>d<Enter><Enter>3<Esc><Esc><Ctrl-C>q<F1>")
	if want := []string{"Up", "Enter", "Enter", "Esc", "Ctrl-C", "F1"}; !slices.Equal(s.left, want) {
		t.Errorf("left %q, want %q", s.left, want)
	}
	if s.Text() != "one" {
		t.Errorf("the text became %q", s.Text())
	}
}

// A pasted chip is one word, and a large count cannot create a huge text.
func TestKeysOfViAndPastes(t *testing.T) {
	var s sitting
	s.Insert("see ")
	s.Paste(strings.Repeat("line\n", 100))
	s.Insert(" now")
	s.press("<Esc>0wx")
	if s.Text() != "see  now" {
		t.Errorf("x on a chip left %q", s.Text())
	}
	s.SetText(strings.Repeat("x", 100_000))
	s.press("dd999p")
	if s.Length() > 2<<20 {
		t.Errorf("a count put %d characters", s.Length())
	}
}
