package persistence

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func TestACalendarIsChangedAsAWholeOrNotAtAll(t *testing.T) {
	profile := Open(t.TempDir(), now).Profile("main")
	path := profile.path("calendar.ics")
	const one = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"
	must(t, profile.ChangeCalendar(func(text string) (string, error) { return text + one, nil }))
	refused := errors.New("no")
	if err := profile.ChangeCalendar(func(text string) (string, error) { return "lost", refused }); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	if text, err := profile.Calendar(); err != nil || text != one || get(t, path) != one {
		t.Errorf("%q, %v", text, err)
	}
	for _, torn := range []string{one[:30], "hello", "{}"} {
		put(t, path, torn)
		if _, err := profile.Calendar(); err == nil {
			t.Errorf("%q is a calendar", torn)
		}
	}
	err := profile.ChangeCalendar(func(text string) (string, error) { return text + one, nil })
	if !OnlyDamage(err) || get(t, path) != one || get(t, path+".damaged-20260214-123015") != "{}" {
		t.Errorf("%v, %q", err, get(t, path))
	}
}

func TestLooseEventsOfTheTypeScriptMarvin(t *testing.T) {
	h := Open(t.TempDir(), now)
	if events, err := h.LooseEvents(); err != nil || events != nil {
		t.Fatalf("%v, %v", events, err)
	}
	put(t, h.path("calendar", "a.ics"), "BEGIN:VCALENDAR\nEND:VCALENDAR")
	put(t, h.path("calendar", "b.ics"), "BEGIN:VCAL")
	put(t, h.path("calendar", "notes.txt"), "x")
	events, err := h.LooseEvents()
	if len(events) != 1 || events[0].Name != "a.ics" || err == nil || !strings.Contains(err.Error(), "does not begin") {
		t.Errorf("%+v, %v", events, err)
	}
	must(t, h.RemoveLooseEvent("a.ics"))
	if err := h.RemoveLooseEvent("../a.ics"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
