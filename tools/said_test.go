package tools

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A call in one line is its tool and the first three parameters that say something.
func TestTheTitleOfACall(t *testing.T) {
	of := &parameters{tool: "do", names: []string{"a", "b", "c", "d", "in_short"}}
	long := strings.Repeat("x", 61)
	for _, row := range []struct {
		given map[string]any
		want  string
	}{
		{nil, "do"},
		{map[string]any{"other": "x", "d": "four"}, "do four"},
		{map[string]any{"d": "4", "c": "3", "b": "2", "a": "1"}, "do 1 2 3"},
		{map[string]any{"in_short": true, "b": "2"}, "do 2 in short"},
		{map[string]any{"in_short": false, "a": true, "b": "2"}, "do a 2"},
		{map[string]any{"a": " \n ", "b": "2", "c": "3", "d": "4"}, "do 2 3 4"},
		{map[string]any{"a": "x\ny", "b": "x\ny", "c": "3"}, "do x y 3"},
		{map[string]any{"a": "1", "b": long, "c": long[1:]}, "do 1 " + long[1:]},
		{map[string]any{"a": "\u202e", "b": 2.5}, "do ‹U+202E› 2.5"},
	} {
		if got := of.title(row.given); got != row.want {
			t.Errorf("%v: %q, not %q", row.given, got, row.want)
		}
	}
}

type told struct{ text string }

func (e told) Error() string { return e.text }

// Keys of the user's are taken out of what a call says, gives back and fails with; of what
// shows the project only Marvin's own are. An error without any stays the very error.
func TestWhatACallSaysHoldsNoKeys(t *testing.T) {
	const key = "abcdefgh12345678"
	for _, row := range []struct {
		access  Access
		environ string
		text    string
		err     error
		want    string
		same    bool
	}{
		{Free, "A_TOKEN=" + key, "x " + key, nil, "x [key withheld]", true},
		{Shared, "A_TOKEN=" + key, "x " + key, nil, "x " + key, true},
		{Free, "A_PLACE=" + key, "x " + key, nil, "x " + key, true},
		{Free, "A_TOKEN=" + key, "x", told{"no " + key}, "x no [key withheld]", false},
		{Shared, "A_TOKEN=" + key, "x", told{"no " + key}, "x no [key withheld]", false},
		{Free, "A_TOKEN=" + key, "x", told{"no"}, "x no", true},
		{Free, "A_PLACE=" + key, "x", told{"no " + key}, "x no " + key, true},
	} {
		said := ""
		env := Env{Environ: []string{row.environ}, Home: t.TempDir(), Progress: func(line string) { said = line }}
		output, err := hideIn(env, row.access, func(env Env) (Output, error) {
			env.Progress("now " + key)
			return Output{Text: row.text}, row.err
		})
		got := output.Text
		if err != nil {
			got += " " + err.Error()
		}
		if got != row.want || !errors.Is(err, row.err) {
			t.Errorf("%+v: %q", row, got)
		}
		if same := err == row.err; same != row.same {
			t.Errorf("%+v: the same error: %v, %T", row, same, err)
		}
		if want := map[bool]string{true: "now [key withheld]", false: "now " + key}[strings.Contains(row.environ, "TOKEN")]; said != want {
			t.Errorf("%+v: said %q", row, said)
		}
	}
}

// Where a group of characters that nobody sees begins and ends.
func TestTheEndsOfWhatNobodySees(t *testing.T) {
	for _, row := range []struct {
		r, before rune
		want      unseen
	}{
		{0xE0000, 'a', carrying},
		{0xE0FFF, 'a', carrying},
		{0xE1000, 'a', plainly},
		{0xDFFFF, 'a', plainly},
		{0xFE00, 'a', carrying},
		{0xFE0F, 'a', carrying},
		{0xFDFF, 'a', plainly},
		{0xFE10, 'a', plainly},
		{0xFE0F, 0x2764, plainly},
		{0x180B, 'a', carrying},
		{0x180F, 'a', carrying},
		{0x180A, 'a', plainly},
		{0x1810, 'a', plainly},
		{0x180B, 0x1820, plainly},
		{'\n', 'a', plainly},
		{'\t', 'a', plainly},
		{' ', 'a', plainly},
		{'~', 'a', plainly},
		{0x7F, 'a', steering},
		{0x1F, 'a', steering},
		{0x9F, 'a', steering},
		{0x2028, 'a', ordering},
		{0x2029, 'a', ordering},
		{0x202E, 'a', ordering},
		{0x2800, 'a', carrying},
		{0x2801, 'a', plainly},
	} {
		if got := look(row.r, row.before); got != row.want {
			t.Errorf("%s behind %q: %d, not %d", fmt.Sprintf("U+%04X", row.r), row.before, got, row.want)
		}
	}
}
