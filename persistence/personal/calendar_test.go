package personal

import (
	"errors"
	"os"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestACalendarIsChangedAsAWholeOrNotAtAll(t *testing.T) {
	profile := store.Open(t.TempDir(), storetest.Now).Profile("main")
	path := profile.Path("calendar.ics")
	const one = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"
	storetest.Must(t, ChangeCalendar(profile, func(text string) (string, error) { return text + one, nil }))
	refused := errors.New("no")
	if err := ChangeCalendar(profile, func(text string) (string, error) { return "lost", refused }); !errors.Is(err, refused) {
		t.Errorf("got %v", err)
	}
	if text, err := Calendar(profile); err != nil || text != one || storetest.Get(t, path) != one {
		t.Errorf("%q, %v", text, err)
	}
	for _, torn := range []string{one[:30], "hello", "{}"} {
		storetest.Put(t, path, torn)
		if _, err := Calendar(profile); err == nil {
			t.Errorf("%q is a calendar", torn)
		}
	}
	err := ChangeCalendar(profile, func(text string) (string, error) { return text + one, nil })
	if !store.OnlyDamage(err) || storetest.Get(t, path) != one || storetest.Get(t, path+".damaged-20260214-123015") != "{}" {
		t.Errorf("%v, %q", err, storetest.Get(t, path))
	}
}

func TestLooseEventsOfTheTypeScriptMarvin(t *testing.T) {
	h := store.Open(t.TempDir(), storetest.Now)
	if events, err := LooseEvents(h); err != nil || events != nil {
		t.Fatalf("%v, %v", events, err)
	}
	storetest.Put(t, h.Path("calendar", "a.ics"), "BEGIN:VCALENDAR\nEND:VCALENDAR")
	storetest.Put(t, h.Path("calendar", "b.ics"), "BEGIN:VCAL")
	storetest.Put(t, h.Path("calendar", "notes.txt"), "x")
	events, err := LooseEvents(h)
	if len(events) != 1 || events[0].Name != "a.ics" || err == nil || !strings.Contains(err.Error(), "does not begin") {
		t.Errorf("%+v, %v", events, err)
	}
	storetest.Must(t, RemoveLooseEvent(h, "a.ics"))
	if err := RemoveLooseEvent(h, "../a.ics"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}
