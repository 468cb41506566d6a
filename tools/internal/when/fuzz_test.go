package when

import (
	"math/rand/v2"
	"testing"
	"time"
)

// Every text is either rejected or read as a moment that can be formatted and read again.
func FuzzMoment(f *testing.F) {
	phrases(f, func(_ string, now time.Time, phrase, _ string) { f.Add(phrase, now.Unix()) })
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string, unix int64) {
		now := time.Unix(unix%(1<<33), 0).In(berlin)
		found, err := Parse(text, now)
		if err != nil {
			if err.Error() == "" || !found.Time.IsZero() && found.Time.Year() > 9999 {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if year := found.Time.Year(); year < 1 || year > 9999 || found.Time.Location() != now.Location() {
			t.Fatalf("%q is %s", text, found.Time)
		}
		if found.AllDay && !found.Relative && found.Time.Format("15:04") != "00:00" {
			t.Errorf("%q is the day %s", text, found.Time)
		}
		if year := found.Time.Year(); year < 1900 || year > 2199 {
			return // only in this range a number after a month is a year
		}
		said := Format(found.Time)
		again, err := Parse(said, now)
		if err != nil || !again.Time.Equal(found.Time.Truncate(time.Second)) {
			t.Errorf("%q is said as %q, which is %s, %v", text, said, again.Time, err)
		}
	})
}

func FuzzLength(f *testing.F) {
	for _, text := range []string{"5m", "1h30m", "2 hours", "1:30", "1:30:00", "an hour and a half", "1e300h", "5 m 5 m", "zweieinhalb Stunden", "1½ h", "90"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		length, err := Duration(text)
		if err != nil {
			return
		}
		again, err := Duration(Length(length))
		if length < 0 || err != nil || (again-length).Abs() > 500*time.Millisecond {
			t.Errorf("%q is %s, written %q, which is %s, %v", text, length, Length(length), again, err)
		}
	})
}

// A time in the formats of programs and of Marvin is read as the same instant, even in the hours of
// a clock change.
func TestWrittenTimesRoundTrip(t *testing.T) {
	random, moments := rand.New(rand.NewPCG(7, 1800)), 1000
	if testing.Short() {
		moments = 200
	}
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca", "America/Sao_Paulo", "UTC"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		moment := time.Date(1970, 1, 1, 0, 0, 0, 0, zone)
		for range moments {
			moment = moment.Add(time.Duration(random.Int64N(int64(300 * time.Hour)))).Truncate(time.Second)
			if _, end := moment.ZoneBounds(); random.IntN(4) == 0 && !end.IsZero() && end.Year() < 2100 { // around a change
				moment = end.Add(time.Duration(random.IntN(3*3600)-3*1800) * time.Second)
			}
			now := moment.Add(-time.Duration(random.Int64N(int64(3000 * time.Hour))))
			for _, said := range []string{
				Format(moment), moment.Format(time.RFC3339), moment.UTC().Format("20060102T150405Z"), moment.Format("2006-01-02 15:04:05 -07:00"),
				moment.Format("2 January 2006, 15:04:05-07:00"), moment.UTC().Format("Mon, 02 Jan 2006 15:04:05") + " GMT", moment.In(time.UTC).Format("02.01.2006 15:04:05") + " UTC",
			} {
				found, err := Parse(said, now)
				if err != nil || !found.Time.Equal(moment) {
					t.Fatalf("%s: %q is %s, %v, want %s", name, said, found.Time, err, moment)
				}
			}
		}
	}
}
