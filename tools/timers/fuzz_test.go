package timers

import "testing"

func FuzzDuration(f *testing.F) {
	for _, text := range []string{"5m", "1h30m", "90", "2 hours", "1:30", "0", "-1s", "1e300h", "١m", "5 m 5 m"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if duration, err := parseDuration(text); err == nil {
			if again, err := parseDuration(spell(duration)); duration < 0 || err != nil || again > duration {
				t.Errorf("%q is %s, written %q, which is %s, %v", text, duration, spell(duration), again, err)
			}
		}
	})
}
