package persistence

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

// What becomes of each preference with each action, of messages in backups, and of what was left
// of a turn, stands in this file; UPDATE_GOLDEN=1 writes it anew.
func TestGoldenValues(t *testing.T) {
	var all strings.Builder
	told := func(what string, value any, err error) {
		if err != nil {
			value = "error: " + err.Error()
		}
		fmt.Fprintf(&all, "%s: %v\n", what, value)
	}
	lists := 0
	for _, pref := range preferenceTable {
		if pref.list {
			if lists++; lists > 1 {
				continue // they differ by their names
			}
		}
		olds := []any{nil, "old", []any{"Thai", 2, true}, "a, b ,"}
		if !pref.list {
			olds = []any{nil, "", "old"}
		}
		for _, old := range olds {
			for _, action := range []PreferenceAction{SetPreference, AddPreference, RemovePreference} {
				for _, values := range [][]string{nil, {""}, {"thai"}, {"THAI", " greek,  two  words,"}, {"yes"}, {"Extra hot"}, {"0"}, {"20000 km"}, {"20000.5"}, {"nan"}, {"-1"}, {"1e1KM"}, {"ANY"}, {"old"}, {"b", "a"}} {
					if !pref.list && pref.key != "notes" && old == "" {
						continue // it is only looked at for notes
					}
					value, err := pref.changed(old, action, values)
					told(fmt.Sprintf("%s %v %s %q", pref.key, old, action, values), showPreference(value), err)
				}
			}
		}
	}
	long := strings.Repeat("é", shortened)
	for _, entry := range []ChatEntry{{}, {Role: "You", Text: " a  b\n"}, {Role: "HUMAN", Text: "a b"}, {Role: "ai", Text: "x"}, {Role: "model"}, {Role: "Marvin"}, {Role: "tool", Text: "t"}, {Role: "you", Text: long}, {Role: "you", Text: long + "x"}, {Role: "you", Text: long + "..."}} {
		key, cut := sameMessage(entry)
		fmt.Fprintf(&all, "%s %.9q is %.20q, cut %.20q of %d\n", entry.Role, entry.Text, key, cut, len(cut))
	}
	for _, digits := range []string{"0", "1700000000", "99999999999", "100000000000", "1700000000000", "99999999999999999999"} {
		fmt.Fprintf(&all, "%s is %s\n", digits, unixTime(digits).UTC())
	}
	for _, text := range []string{"", "{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"user\",\"content\":\"b\"}", "x\n{\"content\":[{\"text\":\"<a>\"}]}\n", "{\"role\":\"user\"}\n{\"content\":\"\"}\n{\"content\":1}\n\n[]\n"} {
		for _, cut := range []bool{false, true} {
			entries, err := contextEntries(strings.NewReader(text), cut)
			told(fmt.Sprintf("%q cut %v", text, cut), fmt.Sprintf("%q", entries), err)
		}
	}
	const you, said, more = `{"role":"you","text":"do it","time":"12:00"}` + "\n", `{"role":"assistant","text":"I do"}` + "\n", `{"role":"assistant","text":" it"}` + "\n"
	const closing, half = `{"closing":[{"role":"you","text":"done","time":"12:01"}]}` + "\n", `{"role":"assistant","te`
	for _, text := range []string{"", half, you, you + you, you + said, you + said + more, said + you, you + half, you + "\n" + said, closing, you + said + closing + more, `{"closing":[]}`, you + `{"role":"system","text":"x"}`} {
		entries, ended := readRunning([]byte(text))
		fmt.Fprintf(&all, "%q is %q, %v\n", text, entries, ended)
	}
	for _, value := range []any{nil, "", "a", " a,b , ,c  d", []any{}, []any{1, "x, y", nil}, true, 1.5} {
		fmt.Fprintf(&all, "%#v lists %q\n", value, listOf(value))
	}
	goldentest.Hold(t, "values.golden", all.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
