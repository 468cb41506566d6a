package timers

import (
	"testing"
	"time"
)

// What is read as a duration is written so that it is read as the same one, to half of
// the last digit that is written.
func FuzzDuration(f *testing.F) {
	for _, text := range []string{"5m", "1h30m", "90", "2 hours", "1:30", "0", "-1s", "1e300h", "١m", "5 m 5 m", "90.5", "59.96s"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if duration, err := parseDuration(text); err == nil {
			half := 50 * time.Millisecond
			if duration >= time.Minute {
				half = 500 * time.Millisecond
			}
			if again, err := parseDuration(spell(duration)); duration < 0 || err != nil || (again-duration).Abs() > half {
				t.Errorf("%q is %s, written %q, which is %s, %v", text, duration, spell(duration), again, err)
			}
		}
	})
}
