package calendar

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"marvin/persistence/goldentest"
	"marvin/persistence/personal"
	"marvin/tools"
)

// series is a calendar of another program. It has a series with a duration, an exception and a
// moved occurrence, events in two zones, whole days, a canceled event, and unreadable events.
const series = `BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VEVENT
UID:tuesdays-1@elsewhere
DTSTART;TZID=America/New_York:20260210T090000
DURATION:P1DT1H30M15S
RRULE:FREQ=WEEKLY;COUNT=6
EXDATE;TZID=America/New_York:20260217T090000
RDATE;TZID=America/New_York:20260219T090000,20260220T090000
SUMMARY:Stand-up
SEQUENCE:4
BEGIN:VALARM
SUMMARY:of the alarm
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:tuesdays-1@elsewhere
RECURRENCE-ID;TZID=America/New_York:20260224T090000
DTSTART;TZID=America/New_York:20260225T100000
SUMMARY:Stand-up moved
END:VEVENT
BEGIN:VEVENT
UID:tuesdays-2@elsewhere
DTSTART;TZID="Odd;Zone":20260303T080000
DTEND;TZID="Odd;Zone":20260303T090000
SUMMARY:In an odd zone
DESCRIPTION:notes
END:VEVENT
BEGIN:VEVENT
UID:utc
DTSTART:20260304T080000Z
DURATION:PT0S
STATUS:cancelled
LOCATION:Hall\, 2
END:VEVENT
BEGIN:VEVENT
UID:fair
DTSTART;VALUE=DATE:20260327
DURATION:P1W
RRULE:FREQ=YEARLY
SUMMARY:Fair
END:VEVENT
BEGIN:VEVENT
UID:twice
DTSTART:20260305T080000
DTEND:20260305T070000
RRULE:FREQ=HOURLY;INTERVAL=6;COUNT=4
DURATION:-P1D
SUMMARY:Pill
END:VEVENT
BEGIN:VEVENT
UID:bad1
DTSTART:someday
END:VEVENT
BEGIN:VEVENT
UID:bad2
END:VEVENT
END:VCALENDAR
`

// TestCalendarTools uses the calendar for a year and records each result, each written line and
// each reminder.
func TestCalendarTools(t *testing.T) {
	d := newFixture(t)
	known := map[string]string{} // replaces random uids by fixed names
	random := regexp.MustCompile(`[0-9a-f]{32}`)
	mask := func(text string) string {
		text = random.ReplaceAllStringFunc(text, func(uid string) string {
			for name, is := range known {
				if is == uid {
					return name
				}
			}
			name := fmt.Sprintf("UID%d.", len(known)+1)
			known[name] = uid
			return name
		})
		for name, uid := range known {
			text = strings.ReplaceAll(text, uid[:8], name+"8")
		}
		return strings.ReplaceAll(text, d.dir, "HOME")
	}
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		for name, uid := range known {
			args = strings.ReplaceAll(args, name, uid)
		}
		switch tool {
		case "clock":
			moment, err := time.ParseInLocation("2006-01-02T15:04", args, d.now.Location())
			d.now = moment
			return "", err
		case "load":
			d.put(d.path(), map[string]string{"series": series, "python": python, "nothing": ""}[args])
			return "", nil
		case "file":
			return mask(d.file(d.path())), nil
		case "reminders":
			all, err := personal.AlarmsOf(d.home).All()
			var list []string
			for _, one := range all {
				list = append(list, fmt.Sprintf("%s %s: %s", one.Time.In(d.now.Location()).Format("Mon Jan 02 15:04"), one.Label, one.Message))
			}
			return mask(strings.Join(list, "\n")), err
		}
		raw := json.RawMessage(args)
		for _, one := range d.service.Tools() {
			if one.Name != "calendar_"+tool {
				continue
			}
			call, err := one.Decode(raw)
			if err != nil {
				return "", err
			}
			output, err := call.Run(t.Context(), tools.Env{Environ: d.environ, Profile: d.home.Profile("main").Dir})
			if err != nil {
				err = errors.New(mask(err.Error()))
			}
			return mask(output.Text), err
		}
		return "", fmt.Errorf("no tool %s", tool)
	})
}
