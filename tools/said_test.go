package tools

import (
	"errors"
	"strings"
	"testing"
)

type told struct{ text string }

func (e told) Error() string { return e.text }

func TestSecretsAreRemovedFromResults(t *testing.T) {
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
