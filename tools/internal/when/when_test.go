package when

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// phrases calls use for each line of testdata/phrases.txt, with the moment at which it is said.
func phrases(t testing.TB, use func(line string, now time.Time, phrase, want string)) {
	t.Helper()
	content, err := os.ReadFile("testdata/phrases.txt")
	if err != nil {
		t.Fatal(err)
	}
	var now time.Time
	for line := range strings.Lines(string(content)) {
		line = strings.TrimRight(line, "\n")
		if at, ok := strings.CutPrefix(line, "now "); ok {
			at, _, _ = strings.Cut(at, ",")
			zone, err := time.LoadLocation(strings.Fields(at)[2])
			if err != nil {
				t.Fatal(err)
			}
			if now, err = time.ParseInLocation("2006-01-02 15:04", at[:16], zone); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if phrase, want, ok := strings.Cut(line, " = "); ok && line[0] != '#' {
			use(line, now, phrase, want)
		}
	}
}

// written formats a result as in the table: a day, a + before a time relative to now, and the UTC
// offset if the table contains it.
func written(found Moment, want string) string {
	form := "2006-01-02 15:04"
	switch {
	case found.AllDay && !found.Relative:
		return found.Time.Format("2006-01-02")
	case found.Time.Second() != 0:
		form += ":05"
	case strings.Contains(want, " +0"):
		form += " -0700"
	}
	text := found.Time.Format(form)
	if found.AllDay {
		text = "+" + text
	}
	return text
}

func TestPhrases(t *testing.T) {
	count := 0
	phrases(t, func(line string, now time.Time, phrase, want string) {
		count++
		found, err := Parse(phrase, now)
		want, note, _ := strings.Cut(want, " | ")
		var ambiguous *Ambiguous
		switch reading, isAmbiguous := strings.CutPrefix(want, "ambiguous "); {
		case isAmbiguous:
			if !errors.As(err, &ambiguous) || !strings.Contains(err.Error(), reading) || !strings.Contains(err.Error(), note) {
				t.Errorf("%s\n\tgot %s, %v", line, written(found, want), err)
			}
		case want == "error":
			if err == nil || errors.As(err, &ambiguous) && phrase != "3.12" {
				t.Errorf("%s\n\tgot %s, %v", line, written(found, want), err)
			}
		case err != nil || written(found, want) != want:
			t.Errorf("%s\n\tgot %s, %v", line, written(found, want), err)
		case !strings.Contains(found.NotesText(), note) || note == "" && len(found.Notes) > 0:
			t.Errorf("%s\n\tassumed %q", line, found.NotesText())
		}
	})
	if count < 200 {
		t.Errorf("%d phrases", count)
	}
	t.Log(count)
}
