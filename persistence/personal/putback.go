package personal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/persistence/internal/store"
)

// Edit records a change to a profile's document so that the change can be undone. A document is a
// sequence of pieces, such as list entries, events or lines. Undoing an edit keeps later changes to
// other pieces.
type Edit struct {
	Document string   `json:"document"` // name of the document, such as "calendar"
	Profile  string   `json:"profile"`
	At       int      `json:"at"`               // how many pieces precede the change
	Was      []string `json:"was,omitempty"`    // the pieces that the change replaced
	Is       []string `json:"is,omitempty"`     // the pieces that the change wrote
	Front    string   `json:"front,omitempty"`  // the unchanged piece just before the change
	Behind   string   `json:"behind,omitempty"` // the unchanged piece just after the change
	New      bool     `json:"new,omitempty"`    // the change created the document
}

// maxEdit is the maximum size of the pieces in [Edit.Was] and [Edit.Is] together, in bytes.
const maxEdit = 256 << 10

// ErrChangedSince reports that a piece was changed again after the edit.
var ErrChangedSince = errors.New("it was changed since")

// pieceFormat contains a document's file name, and functions that split the text and join the
// pieces.
type pieceFormat struct {
	file  string
	parts func(text []byte) ([]string, error)
	whole func(pieces []string) ([]byte, error)
}

// papers contains the format of each document whose changes can be undone.
var papers = map[string]pieceFormat{
	"bookmarks":   {"bookmarks.json", listPieces, wholeList},
	"places":      {"saved_places.json", listPieces, wholeList},
	"topics":      {"ntfy_subscriptions.json", topicPieces, wholeTopics},
	"calendar":    {"calendar.ics", calendarPieces, joinLines},
	"preferences": {"preferences.yaml", linePieces, joinLines},
}

// RecordChange returns a copy of p that stores each document change in *edit, replacing the
// previous one. A change that cannot be recorded leaves *edit as it is.
func RecordChange(p store.Profile, edit *Edit) store.Profile {
	if p.Noted = nil; edit != nil {
		p.Noted = edit
	}
	return p
}

// Note overwrites *e with a record of a change to a document. It does nothing if the document
// cannot be split into pieces or the change is too large.
func (e *Edit) Note(profile, document string, before, after []byte) {
	kind := papers[document]
	was, err := kind.parts(before)
	is, failed := kind.parts(after)
	if err != nil || failed != nil {
		return
	}
	found := Edit{Document: document, Profile: profile, New: before == nil}
	same := min(len(was), len(is))
	for found.At < same && was[found.At] == is[found.At] {
		found.At++
	}
	end := 0
	for end < same-found.At && was[len(was)-1-end] == is[len(is)-1-end] {
		end++
	}
	found.Was, found.Is = slices.Clone(was[found.At:len(was)-end]), slices.Clone(is[found.At:len(is)-end])
	if found.At > 0 {
		found.Front = is[found.At-1]
	}
	if end > 0 {
		found.Behind = is[len(is)-end]
	}
	if size(found.Was)+size(found.Is) <= maxEdit {
		*e = found
	}
}

func size(pieces []string) (bytes int) {
	for _, piece := range pieces {
		bytes += len(piece)
	}
	return bytes
}

// PutBack undoes an edit and returns the reverse edit. If the pieces have been changed in the
// meantime, the error is [ErrChangedSince].
func PutBack(h *store.Home, edit Edit) (back Edit, err error) {
	kind, known := papers[edit.Document]
	if !known || !store.SingleElement(edit.Profile) {
		return Edit{}, fmt.Errorf("there is no document %q in the profile %q", edit.Document, edit.Profile)
	}
	path, unlock, err := h.LockFile(h.Profile(edit.Profile).Path(kind.file), store.LockWait)
	if err != nil {
		return Edit{}, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	data, err := store.ReadWhole(path, store.DocumentLimit)
	if err != nil {
		return Edit{}, err
	}
	pieces, err := kind.parts(data)
	if err != nil {
		return Edit{}, &store.DamagedError{Path: path, Err: err}
	}
	if pieces, err = edit.undo(pieces); err != nil {
		return Edit{}, err
	}
	if edit.New && !edit.hasEntries(pieces) {
		back.Note(edit.Profile, edit.Document, data, nil)
		return back, errors.Join(os.Remove(path), store.SyncDir(filepath.Dir(path)))
	}
	text, err := kind.whole(pieces)
	if err != nil {
		return Edit{}, err
	}
	back.Note(edit.Profile, edit.Document, data, text)
	return back, store.Replace(path, text, store.Lasting)
}

// undo reverses the edit and returns the document's new pieces.
func (e Edit) undo(pieces []string) ([]string, error) {
	was, is := e.Was, e.Is
	if e.Document == "calendar" { // the lines around the events are not part of a change
		is = events(is)
		if len(pieces) > 0 {
			was = events(was)
		} else if len(was) == len(events(was)) {
			return nil, ErrChangedSince // the whole calendar is gone
		}
	}
	at, found := e.findPlace(pieces, is)
	if !found {
		return nil, ErrChangedSince
	}
	return slices.Concat(pieces[:at], was, pieces[at+len(is):]), nil
}

// findPlace returns the index of the first piece that the edit wrote. If the pieces have moved,
// they must occur exactly once. If the edit only removed pieces, findPlace prefers an index next to
// a former neighbor.
func (e Edit) findPlace(pieces, is []string) (at int, found bool) {
	stands := func(at int) bool {
		return at >= 0 && at+len(is) <= len(pieces) && slices.Equal(pieces[at:at+len(is)], is)
	}
	if len(is) == 0 {
		if at := slices.Index(pieces, e.Front); at >= 0 && e.Front != "" {
			return at + 1, true
		}
		if at := slices.Index(pieces, e.Behind); at >= 0 && e.Behind != "" {
			return at, true
		}
		if e.Document == "calendar" && len(pieces) > 0 {
			return len(pieces) - 1, true // events are inserted just before the calendar's last line
		}
		return min(e.At, len(pieces)), true
	}
	if stands(e.At) {
		return e.At, true
	}
	at = -1
	for i := range pieces {
		if stands(i) {
			if at >= 0 {
				return 0, false
			}
			at = i
		}
	}
	return at, at >= 0
}

// hasEntries reports whether a document contains an entry. A calendar without events has no entry.
func (e Edit) hasEntries(pieces []string) bool {
	if e.Document == "calendar" {
		return len(events(pieces)) > 0
	}
	return len(pieces) > 0
}

func listPieces(text []byte) ([]string, error) {
	entries, err := store.DecodeList(text)
	return compacted(entries), err
}

func compacted(entries []json.RawMessage) (pieces []string) {
	for _, entry := range entries {
		var out bytes.Buffer
		if json.Compact(&out, entry) == nil {
			pieces = append(pieces, out.String())
		}
	}
	return pieces
}

func wholeList(pieces []string) ([]byte, error) {
	entries := make([]json.RawMessage, len(pieces))
	for i, piece := range pieces {
		entries[i] = json.RawMessage(piece)
	}
	return store.EncodeList(entries)
}

func topicPieces(text []byte) (pieces []string, err error) {
	entries, err := decodeTopics(text)
	for _, entry := range entries {
		one, failed := encodeTopics([]topicEntry{entry})
		err = errors.Join(err, failed)
		pieces = append(pieces, compacted([]json.RawMessage{one})...)
	}
	return pieces, err
}

func wholeTopics(pieces []string) ([]byte, error) {
	var all []topicEntry
	for _, piece := range pieces {
		entries, err := decodeTopics([]byte(piece))
		if err != nil {
			return nil, err
		}
		all = append(all, entries...)
	}
	return encodeTopics(all)
}

func linePieces(text []byte) ([]string, error) {
	return slices.Collect(strings.Lines(string(text))), nil
}

// calendarPieces splits a calendar. Each event is one piece, and so is each line outside an event.
func calendarPieces(text []byte) (pieces []string, err error) {
	if err := wholeCalendar(text); err != nil {
		return nil, err
	}
	within := false
	for line := range strings.Lines(string(text)) {
		if within {
			pieces[len(pieces)-1] += line
			within = !marks(line, "END:VEVENT")
			continue
		}
		pieces, within = append(pieces, line), marks(line, "BEGIN:VEVENT")
	}
	return pieces, nil
}

func marks(line, mark string) bool { return strings.EqualFold(strings.TrimSpace(line), mark) }

func events(pieces []string) []string {
	return slices.DeleteFunc(slices.Clone(pieces), func(piece string) bool {
		first, _, _ := strings.Cut(piece, "\n")
		return !marks(first, "BEGIN:VEVENT")
	})
}

// joinLines concatenates the pieces. It adds a line break where two pieces would share a line.
func joinLines(pieces []string) ([]byte, error) {
	var text bytes.Buffer
	for i, piece := range pieces {
		text.WriteString(piece)
		if i+1 < len(pieces) && !strings.HasSuffix(piece, "\n") {
			text.WriteByte('\n')
		}
	}
	return text.Bytes(), nil
}
