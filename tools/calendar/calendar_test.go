package calendar

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence/disktest"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/cron"
)

// The format in which the Python Marvin writes events (contracts F6).
const python = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//LocalFinder//EN\r\nBEGIN:VEVENT\r\nUID:3f0c12ab-77aa-4c00-9d1e-000000000001\r\n" +
	"DTSTART:20260214T180000\r\nDTEND:20260214T190000\r\nSUMMARY:Dinner\r\nCREATED:20260213T010203Z\r\nLOCATION:Luigi\r\nDESCRIPTION:table for 4\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

// A calendar of another program (RFC 5545), with everything that Marvin's parser does not know.
const foreign = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Elsewhere//EN
X-WR-CALNAME:My; cal, endar
BEGIN:VTIMEZONE
TZID:America/New_York
BEGIN:STANDARD
DTSTART:19971026T020000
RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
END:STANDARD
END:VTIMEZONE
BEGIN:X-MINE
SUMMARY:not an event
END:X-MINE
BEGIN:VEVENT
UID:weekly@elsewhere
DTSTART;TZID=America/New_York;X-P="a;b:c":20260106T090000
DTEND;TZID=America/New_York:20260106T093000
RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20260317
EXDATE;TZID=America/New_York:20260217T090000
SUMMARY;LANGUAGE=en:Stand-up\, the \;long\\ one\ntwo lines and a te
 xt that is folded
CATEGORIES:a,b
BEGIN:VALARM
ACTION:DISPLAY
SUMMARY:an alarm's
UID:alarm
TRIGGER:-PT15M
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:weekly@elsewhere
RECURRENCE-ID;TZID=America/New_York:20260224T090000
DTSTART;TZID=America/New_York:20260225T100000
SUMMARY:Stand-up moved
END:VEVENT
a broken line without sense
BEGIN:VEVENT
UID:when
DTSTART:someday
SUMMARY:Unknown
END:VEVENT
BEGIN:VTODO
UID:todo
END:VTODO
END:VCALENDAR
`

func TestAddingAndDeletingLeavesEveryOtherByteAlone(t *testing.T) {
	for name, before := range map[string]string{"python": python, "foreign": foreign, "foreign, CRLF": strings.ReplaceAll(foreign, "\n", "\r\n"), "BOM, no line at the end": "\ufeff" + strings.TrimSpace(foreign)} {
		d := newFixture(t)
		d.put(d.path(), before)
		added := d.expect("calendar_add_event", args{"title": "Zahnarzt; mit, allem\\", "start": "2026-02-20T09:30", "description": "a\nb" + strings.Repeat(" ü", 60)}, "Added")
		uid := strings.TrimSuffix(added[strings.Index(added, "[uid:")+5:], "")[:32]
		after := d.file(d.path())
		at := strings.Index(before, "END:VCALENDAR")
		if !strings.HasPrefix(after, before[:at]) || !strings.HasSuffix(after, before[at:]) {
			t.Errorf("%s: got %s", name, after)
		}
		for _, line := range strings.Split(after, "\n") {
			if len(line) > 76 && strings.Contains(before, "\r\n") || strings.Contains(line, "\r") && !strings.HasSuffix(line, "\r") {
				t.Errorf("%s: line %q", name, line)
			}
		}
		d.expect("calendar_delete_event", args{"uid": uid}, "Deleted: Fri Feb 20 09:30 Zahnarzt; mit, allem\\")
		if got := d.file(d.path()); got != before {
			t.Errorf("%s: left %s", name, got)
		}
	}
}

func TestANewCalendarIsAsThePythonMarvinWritesIt(t *testing.T) {
	d := newFixture(t)
	added := d.expect("calendar_add_event", args{"title": "Dinner\r\nEND:VEVENT\r\nX-EVIL:1", "start": "2026-02-14 18:00", "location": "Luigi, $(touch /tmp/x)", "description": "a;b\r\nc"}, "Sat Feb 14 2026 18:00–19:00")
	uid := added[strings.Index(added, "[uid:")+5:][:32]
	want := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//LocalFinder//EN\r\nBEGIN:VEVENT\r\nUID:" + uid +
		"\r\nDTSTART:20260214T180000\r\nDTEND:20260214T190000\r\nSUMMARY:Dinner END:VEVENT X-EVIL:1\r\nLOCATION:Luigi\\, $(touch /tmp/x)\r\nDESCRIPTION:a\\;b\\nc" +
		"\r\nDTSTAMP:20260213T110000Z\r\nCREATED:20260213T110000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	if got := d.file(d.path()); got != want {
		t.Errorf("got %q", got)
	}
}

// A title never becomes shell source, because the crontab contains only labels.
func TestRemindersAreLinesOfTheCrontabWithoutTheUsersWords(t *testing.T) {
	d := newFixture(t)
	d.put(d.dir+"/spool", "0 5 * * * backup\n")
	added := d.expect("calendar_add_event", args{"title": "Tea\n* * * * * rm -rf ~ # `x`", "start": "2026-02-13 12:45"}, "Reminders 30 minutes before, on the desktop, and in Marvin if it is open.")
	uid := added[strings.Index(added, "[uid:")+5:][:32]
	label := "calremind_" + uid[:8] + "_30"
	if got := d.file(d.dir + "/spool"); got != "0 5 * * * backup\n"+cron.At(d.now.Add(15*time.Minute).Local())+" HOME="+d.dir+" /usr/bin/marvin ring-alarm "+label+" # "+label+"\n" {
		t.Errorf("the crontab is %s", got)
	}
	reminders, err := personal.AlarmsOf(d.home).All()
	if err != nil || len(reminders) != 1 || !reminders[0].Reminder || reminders[0].Message != "Tea * * * * * rm -rf ~ # `x` at 12:45, in 30 minutes" {
		t.Errorf("%+v, %v", reminders, err)
	}
	d.expect("calendar_delete_event", args{"title": "rm -rf"}, "Deleted")
	if reminders, err = personal.AlarmsOf(d.home).All(); len(reminders) != 0 || err != nil || d.file(d.dir+"/spool") != "0 5 * * * backup\n" {
		t.Errorf("left %+v, %v, %s", reminders, err, d.file(d.dir+"/spool"))
	}
}

func TestRemindersThatStayAreReported(t *testing.T) {
	d := newFixture(t)
	d.expect("calendar_add_event", args{"title": "Tea", "start": "2026-02-13 12:45"}, "Reminders 30 minutes before")
	broken := "#!/bin/sh\ncase \"$1\" in\n-l) exec cat \"$SPOOL\" ;;\n-) echo 'the disk is full' >&2; exit 1 ;;\nesac\n"
	if err := disktest.WriteProgram(filepath.Join(d.dir, "crontab"), []byte(broken), 0o755); err != nil {
		t.Fatal(err)
	}
	if said := d.expect("calendar_delete_event", args{"title": "Tea"}, "Deleted: "); !strings.Contains(said, "\nWarning: ") || !strings.Contains(said, "the disk is full") {
		t.Errorf("said %s", said)
	}
}

func TestRemindersOfThePythonMarvinGoWithTheirEvent(t *testing.T) {
	d := newFixture(t)
	d.put(d.path(), python)
	script := filepath.Join(d.home.State, "calendar_reminders", "calremind_3f0c12ab_60.sh")
	d.put(script, "#!/bin/bash\n")
	d.put(d.dir+"/spool", "0 17 14 2 * "+script+" # calremind_3f0c12ab_60\n")
	d.expect("calendar_delete_event", args{"event_id": "3f0c12ab"}, "Deleted: Sat Feb 14 18:00 Dinner 📍Luigi")
	if d.file(d.dir+"/spool") != "" || d.file(script) != "" {
		t.Errorf("left %q and %q", d.file(d.dir+"/spool"), d.file(script))
	}
}

func TestNoReminders(t *testing.T) {
	d := newFixture(t)
	for start, want := range map[string]string{
		"2026-02-14": "the event takes the whole day", "2027-03-14 10:00": "more than a year away", "2026-02-13 12:20": "begins too soon", "2026-01-01 10:00": "in the past",
	} {
		d.expect("calendar_add_event", args{"title": "x", "start": start}, want)
	}
	if d.file(d.dir+"/spool") != "" {
		t.Error("the crontab was touched")
	}
	d.service.ringer.NoCron = func([]string) string { return "no cron daemon is running" }
	d.expect("calendar_add_event", args{"title": "x", "start": "2026-02-14 10:00"}, "Reminders 60 and 30 minutes before. Note: no cron daemon is running, so reminders come only while Marvin is open.")
}

func TestDeletingWantsExactlyOneMatch(t *testing.T) {
	d := newFixture(t)
	d.put(d.path(), foreign)
	d.call("calendar_add_event", args{"title": "Stand at the fair", "start": "2026-02-20"})
	before := d.file(d.path())
	got := d.expect("calendar_delete_event", args{"title": "stand"}, "2 events match, so nothing was deleted")
	if !strings.Contains(got, "[uid:weekly@elsewhere]") || strings.Contains(got, "not an event") || strings.Contains(got, "alarm") {
		t.Errorf("got %s", got)
	}
	d.expect("calendar_delete_event", args{"uid": "week"}, "there is no event")
	d.expect("calendar_delete_event", args{}, "give the uid")
	if d.file(d.path()) != before {
		t.Error("something was deleted")
	}
	d.expect("calendar_delete_event", args{"uid": "weekly@e"}, "with all its dates")
	if got := d.file(d.path()); strings.Contains(got, "moved") || !strings.Contains(got, "UID:when") || !strings.Contains(got, "BEGIN:X-MINE") {
		t.Errorf("left %s", got)
	}
}

func TestUpcomingEventsWithSeriesZonesAndWholeDays(t *testing.T) {
	d := newFixture(t)
	d.put(d.path(), foreign)
	d.now = d.now.AddDate(0, 0, -4) // Monday
	for _, one := range []args{
		{"title": "Fair", "start": "2026-02-08", "end": "2026-02-09"},
		{"title": "Over", "start": "2026-02-09 08:00"},
		{"title": "Running", "start": "2026-02-09 11:30", "location": "Gym\x1b[2J"},
		{"title": "Later", "start": "2026-03-01"},
	} {
		d.call("calendar_add_event", one)
	}
	got := d.call("calendar_list_upcoming", args{"days": 30})
	var shown []string
	for _, line := range strings.Split(got, "\n") {
		shown = append(shown, strings.Split(line, " [uid:")[0])
	}
	// The 17th is an exception, the 24th was moved to the 25th, and the 17th of March is the last
	// occurrence. 09:00 in New York is 15:00 here, but 14:00 in the weeks in which only New York
	// has summer time.
	want := []string{
		"Sun Feb 08 to Mon Feb 09 Fair", "Mon Feb 09 11:30 Running 📍Gym" + tools.Visible("\x1b") + "[2J",
		"Tue Feb 10 15:00 Stand-up, the ;long\\ one two lines and a text that is folded", "Wed Feb 25 16:00 Stand-up moved", "Sun Mar 01 all day Later",
		"Tue Mar 03 15:00 Stand-up, the ;long\\ one two lines and a text that is folded", "Tue Mar 10 14:00 Stand-up, the ;long\\ one two lines and a text that is folded",
		"One event is not shown, because its time cannot be read.",
	}
	if strings.Join(shown, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", got)
	}
	d.now = d.now.AddDate(0, 1, 2) // 11 March
	d.expect("calendar_list_upcoming", args{"days": "7"}, "Tue Mar 17 14:00 Stand-up")
	d.now = d.now.AddDate(0, 0, 7)
	d.expect("calendar_list_upcoming", args{"days": -5}, "There are no events in the next 1 day.")
}

func TestTheMonthIsAGridWhoseColumnsStay(t *testing.T) {
	d := newFixture(t)
	d.put(d.path(), python)
	d.call("calendar_add_event", args{"title": "Trip", "start": "2026-02-27", "end": "2026-03-01"})
	want := `       February 2026
 Su  Mo  Tu  We  Th  Fr  Sa
  1   2   3   4   5   6   7
  8   9  10  11  12  13 [14]
 15  16  17  18  19  20  21
 22  23  24  25  26 [27][28]

Sat Feb 14 18:00 Dinner 📍Luigi [uid:3f0c12ab]
Fri Feb 27 to Sun Mar 01 Trip [uid:`
	if got := d.call("calendar_view", args{}); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s", got)
	}
	for _, in := range []args{{"month": 3}, {"month": "3", "year": 2026}, {"date": "2026-03-20"}} {
		got := d.expect("calendar_view", in, "         March 2026\n Su  Mo  Tu  We  Th  Fr  Sa\n[ 1]  2   3 ")
		if !strings.HasSuffix(strings.Split(got, "\n\n")[0], " 29  30  31") {
			t.Errorf("%v: got\n%s", in, got)
		}
	}
	d.expect("calendar_view", args{"month": 13}, "there is no month 13")
	d.expect("calendar_view", args{"date": "someday"}, "is not a time")
	d.expect("calendar_view", args{"month": 8}, "No events.")
}

func TestEventsOfTheTypeScriptMarvin(t *testing.T) {
	d := newFixture(t)
	path := filepath.Join(d.home.State, "calendar", "loose-1.ics")
	d.put(path, strings.ReplaceAll(strings.ReplaceAll(python, "3f0c12ab-77aa-4c00-9d1e-000000000001", "loose-1"), "Dinner", "Lunch"))
	d.put(filepath.Join(d.home.State, "calendar", "torn.ics"), "BEGIN:VCAL")
	d.expect("calendar_list_upcoming", args{}, "Sat Feb 14 18:00 Lunch 📍Luigi [uid:loose-1]\nWarning: ")
	d.expect("calendar_delete_event", args{"title": "lunch"}, "Deleted: Sat Feb 14 18:00 Lunch")
	if d.file(path) != "" {
		t.Error("it is still there")
	}
}

func TestADamagedCalendarIsNeverTakenForAnEmptyOne(t *testing.T) {
	d := newFixture(t)
	d.put(d.path(), python[:120])
	d.expect("calendar_list_upcoming", args{}, "is damaged")
	d.expect("calendar_add_event", args{"title": "x", "start": "2026-03-01"}, "Marvin renamed it to")
	kept, _ := filepath.Glob(d.path() + ".damaged-*")
	if len(kept) != 1 || d.file(kept[0]) != python[:120] {
		t.Errorf("kept %v", kept)
	}
}

func TestCalendarRefusals(t *testing.T) {
	d := newFixture(t)
	for want, in := range map[string]args{
		"needs a title":     {"title": " ", "start": "2026-02-20"},
		"no such day":       {"title": "x", "start": "2026-02-30 10:00"},
		"is not after":      {"title": "x", "start": "2026-02-20 10:00", "end": "2026-02-20 09:00"},
		"or both have none": {"title": "x", "start": "2026-02-20 10:00", "end": "2026-02-21"},
	} {
		d.expect("calendar_add_event", in, want)
	}
	if d.file(d.path()) != "" {
		t.Error("a calendar was made")
	}
}

func TestASeriesWithoutADayBeginsWhereItFirstTakesPlace(t *testing.T) {
	d := newFixture(t) // a Friday at noon
	for repeat, want := range map[string]string{
		"every monday": "Mon Feb 16 2026 18:00", "jeden Donnerstag": "Thu Feb 19 2026 18:00", "tous les vendredis": "Fri Feb 13 2026 18:00",
		"every morning": "Fri Feb 13 2026 18:00", "weekdays": "Fri Feb 13 2026 18:00", "every saturday and sunday": "Sat Feb 14 2026 18:00",
	} {
		if got := d.call("calendar_add_event", map[string]any{"title": "yoga", "start": "18:00", "end": "2h", "repeat": repeat}); !strings.Contains(got, want+"–20:00") {
			t.Errorf("%s: %s", repeat, got)
		}
	}
	for _, args := range []map[string]any{
		{"title": "yoga", "start": "2026-02-14 18:00", "repeat": "every monday"}, {"title": "yoga", "start": "18:00", "repeat": "now and then"},
	} {
		if got := d.call("calendar_add_event", args); strings.Contains(got, "Added") {
			t.Errorf("%v: %s", args, got)
		}
	}
}

func TestOddSeriesDoNoHarm(t *testing.T) {
	zone := time.UTC
	calendar := func(lines string) []event {
		events, _ := read("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\n"+lines+"\nEND:VEVENT\nEND:VCALENDAR\n", zone)
		return events
	}
	from := time.Date(2026, 1, 1, 0, 0, 0, 0, zone)
	for lines, want := range map[string]int{
		"DTSTART:20200101T090000\nRRULE:FREQ=SECONDLY":                                     0, // only its first
		"DTSTART:20260105T090000\nRRULE:FREQ=NONSENSE":                                     1,
		"DTSTART:20200101T090000\nRRULE:FREQ=HOURLY":                                       mostRepetitions,
		"DTSTART;VALUE=DATE:20260101\nRRULE:FREQ=DAILY;COUNT=3":                            3,
		"DTSTART;TZID=Nowhere/Land:20260110T090000":                                        1,
		"DTSTART:20260110T090000Z\nDURATION:P1DT2H":                                        1,
		"DTSTART:20260110T090000\nRDATE:20260111T090000,20260112T090000":                   3,
		"DTSTART:20200229T090000\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30":               0,
		"DTSTART:20251231T230000\nDTEND:20260101T010000\nRRULE:FREQ=YEARLY;UNTIL=20270101": 2,
	} {
		if got := overlapping(calendar(lines), from, from.AddDate(1, 0, 0)); len(got) != want {
			t.Errorf("%q: %d, want %d", lines, len(got), want)
		}
	}
}

func FuzzScanNeverLosesAByte(f *testing.F) {
	for _, seed := range []string{python, foreign, "BEGIN:VEVENT", "END:VCALENDAR\r\n \r\n", "\ufeffBEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR", ":", "A;B=\"", " x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		before, end := scan(text)
		if end < 0 {
			return
		}
		changed := insert(text, []string{"BEGIN:VEVENT", "UID:fuzz-uid", "DTSTART:20260101T000000", "END:VEVENT"})
		if len(changed) <= len(text) || changed[:end] != text[:end] || !strings.HasSuffix(changed, text[end:]) {
			t.Fatalf("%q became %q", text, changed)
		}
		for _, one := range before {
			if one.start > one.end || one.end > len(text) {
				t.Fatalf("%q: %d to %d", text, one.start, one.end)
			}
		}
		_, _ = read(text, time.UTC)
		_, _ = remove(text, "u")
	})
}
