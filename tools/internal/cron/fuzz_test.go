package cron

import (
	"strings"
	"testing"
)

// A line that can be parsed can be written, and parsed again to the same line.
func FuzzLine(f *testing.F) {
	f.Add("30 14 20 11 * /home/u/.config/marvin/alarms/tea.sh # tea")
	f.Add("*/30 * * * * echo 50\\% # local-finder-ntfy-watcher")
	f.Add("@daily x # y")
	f.Add("1\v2\v3\v4\v5\vx # y")
	f.Add("# 1 2 3 4 5 x # y")
	f.Fuzz(func(t *testing.T, raw string) {
		line, ok := parse(raw)
		if !ok {
			return
		}
		text, err := line.text()
		if err != nil {
			return // a foreign marker
		}
		if again, ok := parse(text); !ok || again != line || strings.Count(text, "\n") != 1 {
			t.Errorf("%q is %+v, written %q, which is %+v", raw, line, text, again)
		}
	})
}
