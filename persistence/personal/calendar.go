package personal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"marvin/persistence/internal/store"
)

// Calendar returns the text of calendar.ics, or "" if the file is missing.
func Calendar(p store.Profile) (string, error) {
	data, err := store.ReadWritten(p.Path("calendar.ics"), store.DocumentLimit)
	if err == nil {
		if err = wholeCalendar(data); err != nil {
			err = &store.DamagedError{Path: p.Path("calendar.ics"), Err: err}
		}
	}
	return string(data), err
}

// ChangeCalendar passes the text of calendar.ics to the given function and writes the text that the
// function returns. If the function returns an error, nothing is written. If the file is not a
// complete calendar, the function receives "", and the file is set aside.
func ChangeCalendar(p store.Profile, change func(text string) (string, error)) error {
	return p.Home.Rewrite(p.Path("calendar.ics"), func(data []byte) (changed []byte, unreadable, err error) {
		if unreadable = wholeCalendar(data); unreadable != nil {
			data = nil
		}
		text, err := change(string(data))
		if err == nil && unreadable == nil {
			p.Note("calendar", data, []byte(text))
		}
		return []byte(text), unreadable, err
	})
}

// wholeCalendar checks that data is empty or a complete calendar.
func wholeCalendar(data []byte) error {
	text := strings.ToUpper(strings.TrimSpace(strings.TrimPrefix(string(data), "\ufeff")))
	switch {
	case text == "":
		return nil
	case !strings.HasPrefix(text, "BEGIN:VCALENDAR"):
		return errors.New("it does not begin with BEGIN:VCALENDAR")
	case !strings.HasSuffix(text, "END:VCALENDAR"):
		return errors.New("it does not end with END:VCALENDAR")
	}
	return nil
}

// LooseEvent is a calendar with one event. Marvin's TypeScript version stored such calendars for
// all profiles, in calendar/<uid>.ics.
type LooseEvent struct{ Name, Text string }

// LooseEvents reads the events that Marvin's TypeScript version stored for all profiles. It skips
// unreadable files and names them in the error.
func LooseEvents(h *store.Home) (events []LooseEvent, err error) {
	if h.State == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(h.Path("calendar"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) != ".ics" || entry.Name()[0] == '.' {
			continue
		}
		path := h.Path("calendar", entry.Name())
		data, failed := store.ReadWritten(path, 1<<20)
		if failed == nil {
			if failed = wholeCalendar(data); failed != nil {
				failed = &store.DamagedError{Path: path, Err: failed}
			}
		}
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		events = append(events, LooseEvent{Name: entry.Name(), Text: string(data)})
	}
	return events, err
}

// RemoveLooseEvent removes an event that the TypeScript version of Marvin created.
func RemoveLooseEvent(h *store.Home, name string) error {
	if !store.SingleElement(name) || filepath.Ext(name) != ".ics" {
		return fs.ErrNotExist
	}
	if err := os.Remove(h.Path("calendar", name)); err != nil {
		return err
	}
	return store.SyncDir(h.Path("calendar"))
}
