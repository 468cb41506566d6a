package calendar

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/tools/internal/repeat"
)

func TestAnEndIsATimeOfDayOrALength(t *testing.T) {
	d := newFixture(t)
	for end, want := range map[string]string{"10:45": "09:30–10:45", "half past ten": "09:30–10:30", "2h": "09:30–11:30", "90 minutes": "09:30–11:00", "2026-02-20 11:00": "09:30–11:00", "": "09:30–10:30"} {
		d.expect("calendar_add_event", args{"title": "x", "start": "2026-02-20 09:30", "end": end}, want)
	}
	d.expect("calendar_add_event", args{"title": "Party", "start": "2026-02-20 22:00", "end": "2:00"}, "Fri Feb 20 2026 22:00 to Sat Feb 21 2026 02:00")
	d.expect("calendar_add_event", args{"title": "x", "start": "2026-02-20 10:00", "end": "9:00"}, "is not after the start")
	d.expect("calendar_add_event", args{"title": "x", "start": "2026-02-20 8:00", "end": "21:00"}, "Fri Feb 20 2026 08:00–21:00")
	d.expect("calendar_add_event", args{"title": "Trip", "start": "tomorrow", "end": "2026-02-16"}, "Sat Feb 14 2026 to Mon Feb 16 2026")
	d.expect("calendar_add_event", args{"title": "x", "start": "nächsten Freitag um halb acht"}, "Fri Feb 20 2026 07:30–08:30")
	d.expect("calendar_add_event", args{"title": "x", "start": "10:00"}, "Sat Feb 14 2026 10:00–11:00")
	d.expect("calendar_add_event", args{"title": "x", "start": "3/4 10:00"}, "3 April or 4 March")
}

func TestCancelledIsShownAsThat(t *testing.T) {
	d := newFixture(t)
	d.put(d.path(), strings.Replace(python, "SUMMARY:Dinner", "STATUS:cancelled\r\nSUMMARY:Dinner", 1))
	d.expect("calendar_list_upcoming", args{}, "Dinner (cancelled) 📍Luigi")
	if got := d.call("calendar_view", args{}); strings.Contains(got, "[14]") {
		t.Errorf("a day without anything is marked:\n%s", got)
	}
}

func TestRemindersComeMonthsLater(t *testing.T) {
	d := newFixture(t)
	d.expect("calendar_add_event", args{"title": "Dentist", "start": "2026-05-04 09:30"}, "Reminders 60 and 30 minutes before")
	if got := d.file(d.dir + "/spool"); strings.Count(got, "\n") != 2 || !strings.Contains(got, " 4 5 * HOME=") {
		t.Errorf("the crontab is %s", got)
	}
}

func TestASeriesIsMadeAndOneTimeTakenOut(t *testing.T) {
	d := newFixture(t)
	added := d.expect("calendar_add_event", args{"title": "Yoga", "start": "2026-02-17 18:00", "repeat": "every tuesday until 2026-06-30"}, "repeated: FREQ=WEEKLY")
	if !strings.Contains(added, "FREQ=WEEKLY;BYDAY=TU;UNTIL=20260630T215959Z") || !strings.Contains(added, "The reminders cover the next 4 dates of the series, until Tue Mar 10 2026.") {
		t.Errorf("got %s", added)
	}
	if got := strings.Count(d.file(d.dir+"/spool"), "\n"); got != 8 {
		t.Errorf("%d lines of the crontab", got)
	}
	d.expect("calendar_delete_event", args{"title": "yoga", "date": "2026-02-25"}, "Yoga has no date on Wed Feb 25 2026")
	d.expect("calendar_delete_event", args{"title": "yoga", "date": "2026-02-24"}, "Deleted: Tue Feb 24 18:00 Yoga")
	if !strings.Contains(d.file(d.path()), "\r\nEXDATE:20260224T180000\r\nEND:VEVENT") || strings.Contains(d.file(d.dir+"/spool"), " 24 2 *") {
		t.Errorf("got %s\n%s", d.file(d.path()), d.file(d.dir+"/spool"))
	}
	got := d.call("calendar_list_upcoming", args{"days": 30})
	if strings.Count(got, "Yoga") != 3 || strings.Contains(got, "Feb 24") {
		t.Errorf("got %s", got)
	}
	d.expect("calendar_delete_event", args{"title": "yoga"}, "with all its dates")
	if d.file(d.dir+"/spool") != "" {
		t.Errorf("left %s", d.file(d.dir+"/spool"))
	}
}

func TestOneTimeOfASeriesIsMoved(t *testing.T) {
	for name, text := range map[string]string{"LF": foreign, "CRLF": strings.ReplaceAll(foreign, "\n", "\r\n")} {
		d := newFixture(t)
		d.put(d.path(), text)
		d.expect("calendar_change_event", args{"uid": "weekly@elsewhere", "date": "2026-03-03", "start": "17:00", "location": "Room 2"}, "Now: Tue Mar 03 17:00 Stand-up")
		// Existing lines are kept, and the time is written in the zone of the series.
		file := d.file(d.path())
		end := strings.Index(text, "END:VCALENDAR")
		if !strings.HasPrefix(file, text[:end]) || !strings.Contains(file, "RECURRENCE-ID;TZID=America/New_York:20260303T090000") || !strings.Contains(file, "DTSTART;TZID=America/New_York:20260303T110000") {
			t.Errorf("%s: got %s", name, file)
		}
		// Change the occurrence again, which is now a separate event, and then the occurrence that
		// was moved before.
		d.expect("calendar_change_event", args{"uid": "weekly@elsewhere", "date": "2026-03-03", "new_title": "Review"}, "Now: Tue Mar 03 17:00 Review 📍Room 2")
		d.expect("calendar_change_event", args{"uid": "weekly@elsewhere", "date": "2026-02-25", "end": "2h"}, "Stand-up moved")
		got := d.call("calendar_list_upcoming", args{"days": 30})
		for _, want := range []string{"Wed Feb 25 16:00 Stand-up moved", "Tue Mar 03 17:00 Review 📍Room 2", "Tue Mar 10 14:00 Stand-up, the"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing in\n%s", name, want, got)
			}
		}
		d.expect("calendar_delete_event", args{"uid": "weekly@elsewhere", "date": "2026-03-03"}, "The other dates of the series stay")
		if got := d.call("calendar_list_upcoming", args{"days": 30}); strings.Contains(got, "Mar 03") || strings.Count(got, "uid:weekly@e") != 2 {
			t.Errorf("%s: got\n%s", name, got)
		}
	}
}

func TestAnEventIsChanged(t *testing.T) {
	d := newFixture(t)
	d.put(d.path(), strings.Replace(python, "END:VEVENT", "BEGIN:VALARM\r\nTRIGGER:-PT15M\r\nSUMMARY:an alarm's\r\nEND:VALARM\r\nX-MINE:kept\r\nEND:VEVENT", 1))
	d.expect("calendar_change_event", args{"title": "dinner", "start": "20:00", "new_title": "Supper; late"}, "Changed: Sat Feb 14 18:00 Dinner 📍Luigi\nNow: Sat Feb 14 20:00 Supper; late 📍Luigi")
	want := strings.NewReplacer("DTSTART:20260214T180000", "DTSTART:20260214T200000", "DTEND:20260214T190000", "DTEND:20260214T210000", "SUMMARY:Dinner", "SUMMARY:Supper\\; late",
		"END:VEVENT", "BEGIN:VALARM\r\nTRIGGER:-PT15M\r\nSUMMARY:an alarm's\r\nEND:VALARM\r\nX-MINE:kept\r\nSEQUENCE:1\r\nLAST-MODIFIED:20260213T110000Z\r\nEND:VEVENT").Replace(python)
	if got := d.file(d.path()); got != want {
		t.Errorf("got %s", got)
	}
	if got := d.file(d.dir + "/spool"); !strings.Contains(got, "calremind_3f0c12ab_60") {
		t.Errorf("the crontab is %s", got)
	}
	d.expect("calendar_change_event", args{"title": "supper", "start": "2026-02-16"}, "Now: Mon Feb 16 20:00 Supper")
	d.expect("calendar_change_event", args{"title": "supper", "repeat": "weekly 3 times"}, "FREQ=WEEKLY;COUNT=3")
	d.expect("calendar_change_event", args{"title": "supper", "start": "tuesday 19:00"}, "Now: Tue Feb 17 19:00")
	d.expect("calendar_change_event", args{"title": "supper", "repeat": "none", "location": "home"}, "📍home")
	if got := d.call("calendar_list_upcoming", args{"days": 30}); strings.Count(got, "Supper") != 1 || strings.Contains(got, "↻") {
		t.Errorf("got %s", got)
	}
	for want, in := range map[string]args{
		"does not say what to change": {"title": "supper"}, "there is no event": {"title": "breakfast", "start": "10:00"}, "is not after the start": {"title": "supper", "end": "2026-02-16 10:00"},
		"is not a repetition": {"title": "supper", "repeat": "often"}, "has no date on": {"title": "supper", "date": "2026-03-20", "start": "10:00"},
	} {
		d.expect("calendar_change_event", in, want)
	}
}

func TestASeriesWithExceptionsIsNotTornApart(t *testing.T) {
	d := newFixture(t)
	d.put(d.path(), foreign)
	d.expect("calendar_change_event", args{"uid": "weekly@elsewhere", "start": "10:00"}, "would not move with the series")
	d.call("calendar_add_event", args{"title": "Yoga", "start": "2026-02-17 18:00", "repeat": "every tuesday"})
	d.expect("calendar_change_event", args{"title": "Yoga", "start": "2026-02-18 18:00"}, "does not fit the new start")
	d.expect("calendar_change_event", args{"title": "Yoga", "start": "2026-02-18 18:00", "repeat": "every wednesday"}, "Now: Wed Feb 18 18:00 Yoga")
	d.expect("calendar_change_event", args{"title": "Yoga", "date": "2026-02-25", "repeat": "daily"}, "cannot repeat")
}

func TestRepetitions(t *testing.T) {
	start := time.Date(2026, 2, 17, 18, 0, 0, 0, time.UTC) // a Tuesday
	for text, want := range map[string]string{
		"": "", "none": "", "daily": "FREQ=DAILY", "Every Week": "FREQ=WEEKLY", "every 2 weeks": "FREQ=WEEKLY;INTERVAL=2", "alle 3 Monate": "FREQ=MONTHLY;INTERVAL=3", "every tuesday and thursday": "FREQ=WEEKLY;BYDAY=TU,TH",
		"jeden Dienstag": "FREQ=WEEKLY;BYDAY=TU", "tous les mardis": "FREQ=WEEKLY;BYDAY=TU", "weekdays": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "monthly 6 times": "FREQ=MONTHLY;COUNT=6",
		"weekly until 2026-06-30": "FREQ=WEEKLY;UNTIL=20260630T235959Z", "RRULE:FREQ=WEEKLY;BYDAY=TU": "FREQ=WEEKLY;BYDAY=TU", "jährlich": "FREQ=YEARLY", "chaque mois": "FREQ=MONTHLY",
	} {
		if got, err := repeat.Parse(text, start, false); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"often": "is not a repetition", "every monday": "Begin on the first day that fits, Mon Feb 23 2026 18:00", "weekly until 2025-01-01": "before it begins", "FREQ=SECONDLY": "cannot be used", "FREQ=X": "cannot be used",
		"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30": "never takes place", "every 0 weeks": "is not a repetition", "weekly 0 times": "does not say how often",
	} {
		if got, err := repeat.Parse(text, start, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}

// A change that cannot be stored is an error.
func TestUnsavedChangeIsReported(t *testing.T) {
	d := newFixture(t)
	d.call("calendar_add_event", args{"title": "Dinner", "start": "2026-02-20 18:00"})
	before := d.file(d.path())
	dir := filepath.Dir(d.path())
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	d.put(dir, "a file where the profile's directory should be")
	for name, in := range map[string]args{
		"calendar_add_event": {"title": "x", "start": "2026-02-21 18:00"}, "calendar_change_event": {"title": "dinner", "start": "19:00"}, "calendar_delete_event": {"title": "dinner"},
	} {
		if got := d.call(name, in); strings.HasPrefix(got, "Added") || strings.HasPrefix(got, "Changed") || strings.HasPrefix(got, "Deleted") || got == "" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if err := errors.Join(os.Remove(dir), os.Rename(dir+"-away", dir)); err != nil || d.file(d.path()) != before {
		t.Errorf("%v; it is %s", err, d.file(d.path()))
	}
}
