package calendar

import (
	"strings"
	"testing"
	"time"
)

// Outlook's definition of Berlin's zone.
const outlook = `BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VTIMEZONE
TZID:NAME
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
UID:meeting
DTSTART;TZID=NAME:20260706T090000
SUMMARY:Meeting
END:VEVENT
END:VCALENDAR
`

// Earlier Marvins read TZID=W. Europe Standard Time as local time, even with a VTIMEZONE.
func TestZonesOfWindowsAndOfTheFile(t *testing.T) {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	want := time.Date(2026, 7, 6, 7, 0, 0, 0, time.UTC)
	described := strings.ReplaceAll(outlook, "NAME", "Some Office")
	onlyNamed := strings.ReplaceAll(outlook[:strings.Index(outlook, "BEGIN:VTIMEZONE")]+outlook[strings.Index(outlook, "BEGIN:VEVENT"):], "NAME", "W. Europe Standard Time")
	for name, text := range map[string]string{
		"described": described, "a name of Windows": onlyNamed, "both": strings.ReplaceAll(outlook, "NAME", "W. Europe Standard Time"),
		"a path":  strings.ReplaceAll(onlyNamed, "W. Europe Standard Time", "/freeassociation.sourceforge.net/Europe/Berlin"),
		"a quote": strings.ReplaceAll(onlyNamed, "=W. Europe Standard Time", `="w. europe standard time"`),
	} {
		events, _ := read(text, zone)
		if len(events) != 1 || !events[0].start.Equal(want) || len(events[0].zones.unknown) > 0 {
			t.Errorf("%s: %s, unknown %q", name, events[0].start, events[0].zones.unknown)
		}
	}
	events, _ := read(strings.ReplaceAll(onlyNamed, "W. Europe", "Martian"), zone)
	if !events[0].start.Equal(time.Date(2026, 7, 6, 9, 0, 0, 0, zone)) || len(events[0].zones.unknown) != 1 {
		t.Errorf("an unknown zone: %s, %q", events[0].start, events[0].zones.unknown)
	}
	d := newFixture(t)
	d.put(d.path(), strings.ReplaceAll(onlyNamed, "W. Europe", "Martian"))
	d.expect("calendar_view", args{"month": 7, "year": 2026}, `The time zone "Martian Standard Time" is not known here`)
}

// Earlier Marvins showed a series in UTC at the same local hour in summer and winter.
func TestASeriesInUTCStaysInUTC(t *testing.T) {
	d := newFixture(t) // in Stockholm, in February
	d.put(d.path(), "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:call-of-the-world\nDTSTART:20260203T140000Z\nRRULE:FREQ=WEEKLY\nEXDATE:20260224T140000Z\nSUMMARY:Call\nEND:VEVENT\nEND:VCALENDAR\n")
	got := d.call("calendar_list_upcoming", args{"days": 60})
	for _, want := range []string{"Tue Feb 17 15:00 Call", "Tue Mar 24 15:00 Call", "Tue Mar 31 16:00 Call"} {
		if !strings.Contains(got, want) || strings.Contains(got, "Feb 24") {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	d.expect("calendar_change_event", args{"title": "call", "date": "2026-03-31", "start": "17:00"}, "Now: Tue Mar 31 17:00 Call")
	d.expect("calendar_delete_event", args{"title": "call", "date": "2026-03-24"}, "The other dates of the series stay")
	if got := d.file(d.path()); !strings.Contains(got, "RECURRENCE-ID:20260331T140000Z\nDTSTART:20260331T150000Z") || !strings.Contains(got, "EXDATE:20260324T140000Z") {
		t.Errorf("got %s", got)
	}
}

func TestADescribedZoneIsThatZone(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	zone := definedZone(strings.ReplaceAll(outlook, "NAME", "Office"), "Office")
	if zone == nil {
		t.Fatal("no zone")
	}
	for moment := time.Date(1996, 11, 1, 0, 30, 0, 0, time.UTC); moment.Year() < 2037; moment = moment.Add(11 * time.Hour) {
		_, got := moment.In(zone).Zone()
		if _, want := moment.In(berlin).Zone(); got != want {
			t.Fatalf("%s: %d, want %d", moment, got, want)
		}
	}
	for _, text := range []string{"", "BEGIN:VTIMEZONE\nTZID:Office\nEND:VTIMEZONE\n", strings.ReplaceAll(outlook, "+0", "x0"), strings.ReplaceAll(outlook, "16010101", "someday")} {
		if zone := definedZone(strings.ReplaceAll(text, "NAME", "Office"), "Office"); zone != nil {
			t.Errorf("%q is %s", text, zone)
		}
	}
}

func TestEveryNameOfWindowsIsAPlace(t *testing.T) {
	count := 0
	for line := range strings.Lines(windowsNames) {
		if line[0] == '#' {
			continue
		}
		count++
		_, place, _ := strings.Cut(strings.TrimSpace(line), "=")
		if _, err := time.LoadLocation(place); err != nil {
			t.Error(err)
		}
	}
	if count < 130 {
		t.Errorf("%d names", count)
	}
}

// A calendar of another program may define any zones. They are built in limited time.
func FuzzZone(f *testing.F) {
	f.Add("20260101T000000", "+0100", "+0200", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3")
	f.Add("16010101T000000", "-1200", "+1400", "RRULE:FREQ=YEARLY;BYHOUR=1,2,3;BYMINUTE=1,2,3;UNTIL=20300101T000000Z")
	f.Add("20260101", "+0000", "-235959", "RDATE:20260101T000000,20270101T000000\nRRULE:FREQ=YEARLY;BYEASTER=400")
	f.Fuzz(func(t *testing.T, start, from, to, rules string) {
		if len(rules) > 1000 {
			return
		}
		zone := definedZone("BEGIN:VTIMEZONE\nTZID:x\nBEGIN:STANDARD\nDTSTART:"+start+"\nTZOFFSETFROM:"+from+"\nTZOFFSETTO:"+to+"\n"+rules+"\nEND:STANDARD\nEND:VTIMEZONE\n", "x")
		if zone == nil {
			return
		}
		for _, moment := range []time.Time{time.Unix(0, 0), time.Unix(1<<31, 0), time.Date(1500, 1, 1, 0, 0, 0, 0, time.UTC)} {
			if _, offset := moment.In(zone).Zone(); offset < -25*3600 || offset > 25*3600 {
				t.Errorf("%d seconds from UTC", offset)
			}
		}
	})
}
