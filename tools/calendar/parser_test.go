package calendar

import (
	"os"
	"testing"

	ics "github.com/arran4/golang-ical"
)

// An independent parser reads everything that Marvin writes: escaped characters, lines longer than
// the format allows, and text in any script.
func TestAnIndependentParserReadsWhatMarvinWrites(t *testing.T) {
	d := newFixture(t)
	wants := []map[string]string{
		{"title": "Lunch, with Åsa; bring \\ and \"quotes\"", "start": "2026-02-20 12:30", "end": "2026-02-20T13:45", "location": "Café Ñ, 2nd floor", "description": "First line\nsecond; with, marks\nhttps://example.org/?a=b&c=d"},
		{"title": "日本語のとても長い題名がここにあります、行を折り返す必要があるほど長い題名です、さらに続きます", "start": "2026-03-01 09:00", "end": "2026-03-01 10:00"},
		{"title": "Holiday 🏖️", "start": "2026-07-01", "end": "2026-07-14"},
	}
	for _, want := range wants {
		d.call("calendar_add_event", want)
	}
	file, err := os.Open(d.path())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	parsed, err := ics.ParseCalendar(file)
	if err != nil {
		t.Fatal(err)
	}
	events := parsed.Events()
	if len(events) != len(wants) {
		t.Fatalf("%d events, want %d", len(events), len(wants))
	}
	for i, want := range wants {
		for property, name := range map[ics.ComponentProperty]string{
			ics.ComponentPropertySummary: "title", ics.ComponentPropertyLocation: "location", ics.ComponentPropertyDescription: "description",
		} {
			got := ""
			if found := events[i].GetProperty(property); found != nil {
				got = found.Value
			}
			if got != want[name] {
				t.Errorf("%s of %d is %q, want %q", property, i, got, want[name])
			}
		}
		if events[i].Id() == "" {
			t.Errorf("event %d has no UID", i)
		}
	}
	begins, err := events[0].GetStartAt() // a time without a zone, as earlier Marvins wrote it; the parser reads it as UTC
	if err != nil || begins.Format("2006-01-02 15:04") != wants[0]["start"] {
		t.Errorf("it begins at %s, %v", begins, err)
	}
	day, err := events[2].GetAllDayStartAt()
	if err != nil || day.Format("2006-01-02") != "2026-07-01" {
		t.Errorf("the holiday begins on %s, %v", day, err)
	}
}
