package sessionlog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"marvin/persistence/sessions"
)

// Log writes one conversation. It creates the file only when there is something to store. It is
// safe for concurrent use.
type Log struct {
	sessions sessions.Store
	now      func() time.Time
	header   sessions.Header // the header with which the log began; it never changes

	// The next two fields are atomic, so that readers need not wait for a write.
	at   atomic.Pointer[place]
	lost atomic.Pointer[error] // the error that prevented a write

	mu      sync.Mutex
	state   State                 // the state after the last record
	known   [][]byte              // pictures read from the log; nil after a compaction
	held    []Record              // unwritten records; the next write includes them
	hide    func(string) string   // removes secret keys from the records of a failed write; can be nil
	session *sessions.Session     // nil before the first record
	name    *sessions.Reservation // the reservation of the conversation's name, or nil
	closed  bool
	passing bool            // see Answer
	began   int64           // the size of the file when it was opened, in bytes
	shown   map[string]bool // hashes of the pictures that later records can refer to; nil until needed
}

// place is a position in a conversation.
type place struct {
	id         string
	leaf, last int64 // ids of the last entry on the current branch and the last entry in the file
}

// New begins a log. The name may be empty.
func New(sessions sessions.Store, header sessions.Header, name string, now func() time.Time) *Log {
	log := &Log{sessions: sessions, now: now, header: header}
	if name != "" {
		log.held = append(log.held, nameRecord(name))
	}
	return log
}

// Answer returns a new log for a run that gives only one answer. A later run in the same directory
// can continue the log. Write errors are not reported, because the user did not request a log.
func Answer(sessions sessions.Store, header sessions.Header, now func() time.Time) *Log {
	log := New(sessions.Answers(), header, "", now)
	log.passing = true
	return log
}

// Reserve keeps a name reserved until the log is closed.
func (l *Log) Reserve(name *sessions.Reservation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.name = name
}

// Open continues a log. Like [ReadEnd], it returns only the end of a long conversation;
// [Log.Content] returns the whole conversation.
func Open(store sessions.Store, id string, now func() time.Time) (*Log, *Content, error) {
	return open(store, sessions.Store.Open, id, now)
}

// Look opens a log only for reading, so [Log.Add] does nothing. Another process can use the log at
// the same time.
func Look(store sessions.Store, id string, now func() time.Time) (*Log, *Content, error) {
	log, content, err := open(store, sessions.LookAt, id, now)
	if err == nil {
		log.closed = true
	}
	return log, content, err
}

func open(sessions sessions.Store, opened func(sessions.Store, string) (*sessions.Session, error), id string, now func() time.Time) (*Log, *Content, error) {
	session, err := opened(sessions, id)
	if err != nil {
		return nil, nil, err
	}
	content, err := ReadEnd(sessions, id, session.Leaf())
	if err != nil {
		_ = session.Close() // only the error of ReadEnd is returned
		return nil, nil, err
	}
	content.Info = session.Info()
	log := &Log{sessions: sessions, now: now, header: session.Header(), session: session, began: session.Info().Size}
	log.goOn(content)
	return log, content, nil
}

// goOn prepares the log for records that follow the content.
func (l *Log) goOn(content *Content) {
	l.state = content.State
	l.rememberPictures(content)
	l.arrive()
}

// rememberPictures remembers the pictures in the content, so that they are not written again.
func (l *Log) rememberPictures(content *Content) {
	l.shown, l.known = nil, nil
	for _, message := range content.Messages {
		for _, picture := range message.Result.Pictures {
			if len(picture.Data) > 0 {
				l.known = append(l.known, picture.Data)
			}
		}
	}
}

func (l *Log) arrive() {
	if l.session != nil {
		leaf, last := l.session.LastIDs()
		l.at.Store(&place{id: l.session.Header().ID, leaf: leaf, last: last})
	}
}

// Next returns a new log, with the same header, for the conversation that replaces this one.
func (l *Log) Next() *Log {
	header := l.header
	header.ID, header.Forked = "", nil
	next := New(l.sessions, header, "", l.now)
	next.passing = l.passing
	return next
}

// NextForHandoff makes a log for a new conversation that begins with a summary of this log's
// conversation.
func (l *Log) NextForHandoff() *Log {
	next := l.Next()
	if id, entry := l.Place(); id != "" {
		next.header.Forked = &sessions.ForkedAt{Session: id, Entry: entry}
	}
	return next
}

// mostHeld is the maximum size, in bytes, of the records held after a failed write.
const mostHeld = 16 << 20

// Add writes records with no other record between them. If lasting is true, the records survive a
// power failure. A log from [Answer] ignores lasting, and drops the records and closes if a write
// fails. If the records have at most mostHeld bytes, any other log holds them for the next call of
// Add or [Log.Close], because the rest of the turn would be unreadable without these records.
func (l *Log) Add(lasting bool, hide func(string) string, records ...Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil
	}
	held := len(l.held)
	err := l.add(lasting && !l.passing, hide, records)
	if err != nil && l.passing {
		l.held, l.hide, l.closed = nil, nil, true
		return nil
	}
	if err != nil && len(l.held) > held {
		return fmt.Errorf("%w; Marvin will save the entry together with the next one", err)
	}
	return err
}

// Sync flushes all records to disk and makes them visible to searches. It does not block [Log.Add].
func (l *Log) Sync() error {
	l.mu.Lock()
	session := l.session
	l.mu.Unlock()
	if session == nil {
		return nil
	}
	return errors.Join(session.Sync(), session.AddToIndex())
}

func (l *Log) add(lasting bool, hide func(string) string, records []Record) error {
	waited := len(l.held)
	records = append(slices.Clip(l.held), records...)
	if l.session == nil && !slices.ContainsFunc(records, Record.createsFile) {
		l.held = slices.DeleteFunc(records, func(record Record) bool { return record.kind == stateKind })
		return nil
	}
	var entries []sessions.Entry
	state, size := l.state, 0
	for i, record := range records {
		record, news := l.withoutRepeatedPictures(record).apply(&state)
		if !news {
			continue
		}
		clean := hide
		if i < waited { // erase facts that were forgotten while the record waited
			clean = func(text string) string { return l.sessions.EraseForgotten(hide(text)) }
		}
		entry, err := record.entry(l.now(), clean)
		if err != nil {
			return err
		}
		entries = append(entries, entry)
		size += len(entry.Body)
	}
	if err := l.append(lasting, entries); err != nil {
		l.shown = nil // later records must not refer to pictures that were not written
		if size > mostHeld {
			err = fmt.Errorf("%w; the entry is lost, because it is too large to keep in memory until space is free", err)
			l.lost.Store(&err)
			return err
		}
		l.held, l.hide = records, hide
		return err
	}
	l.held, l.hide, l.state = nil, nil, state
	l.arrive()
	if lasting {
		return l.session.AddToIndex()
	}
	return nil
}

// createsFile reports whether the record creates the conversation's file. A title, a state or an
// aside alone does not.
func (r Record) createsFile() bool {
	return r.kind != titleKind && r.kind != stateKind && r.kind != asideKind
}

// apply updates *state and returns the record to write. A compaction receives a copy of *state. The
// second result is false for a state record that changes nothing.
func (r Record) apply(state *State) (_ Record, news bool) {
	switch body := r.body.(type) {
	case State:
		if state.equal(body) {
			return r, false
		}
	case compaction:
		now := *state
		body.State = &now
		r.body = body
	}
	state.record(r)
	return r, true
}

func (l *Log) append(lasting bool, entries []sessions.Entry) (err error) {
	if l.session == nil {
		if l.session, err = l.sessions.Create(l.header); err != nil {
			return err
		}
		l.arrive()
	}
	if len(entries) == 0 {
		return nil
	}
	return l.session.Append(lasting, entries...)
}

// withoutRepeatedPictures replaces each repeated picture with a [Repeat]. It ignores pictures from
// before the last compaction, because older versions of Marvin do not read those records.
func (l *Log) withoutRepeatedPictures(record Record) Record {
	if l.shown == nil {
		l.shown = map[string]bool{}
		for _, picture := range l.known {
			l.shown[hashOf(picture)] = true
		}
	}
	switch body := record.body.(type) {
	case Step:
		body.Messages, body.Repeats = replaceRepeated(body.Messages, l.shown)
		record.body = body
	case compaction:
		clear(l.shown)
		l.known = nil
		body.Messages, body.Repeats = replaceRepeated(body.Messages, l.shown)
		record.body = body
	}
	return record
}

// Dir returns the directory in which the conversation began, or "" if there is none.
func (l *Log) Dir() string { return l.header.Dir }

// ID returns the id of the session, or "" before the first message. It never blocks.
func (l *Log) ID() string {
	id, _ := l.Place()
	return id
}

// Lost reports why records were lost, or nil if no records were lost. It never blocks.
func (l *Log) Lost() error {
	if lost := l.lost.Load(); lost != nil {
		return *lost
	}
	return nil
}

// Close closes the log and lets other processes open the conversation. After that, [Log.Add] does
// nothing.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var unwritten error
	if l.hide != nil && !l.closed {
		if err := l.add(true, l.hide, nil); err != nil {
			unwritten = fmt.Errorf("the end of the conversation is lost: %w", err)
			l.lost.Store(&unwritten)
		}
	}
	l.closed = true
	name := l.name
	l.name = nil
	if l.session == nil {
		return errors.Join(unwritten, name.Release())
	}
	before := l.began
	err := l.session.Close()
	if l.passing {
		return nil
	}
	if err == nil {
		noteWords(l.sessions, l.session.Info(), before)
	}
	return errors.Join(unwritten, err, name.Release())
}

// titleLength is the maximum length, in bytes, of a title taken from a prompt.
const titleLength = 80

// FirstLine returns the first nonempty line of a prompt, shortened to the length of a title.
func FirstLine(prompt string) string {
	for line := range strings.Lines(prompt) {
		line = strings.Join(strings.Fields(strings.ToValidUTF8(line, "")), " ")
		if line == "" {
			continue
		}
		if len(line) <= titleLength {
			return line
		}
		end := titleLength
		for !utf8.RuneStart(line[end]) {
			end--
		}
		if space := strings.LastIndexByte(line[:end], ' '); space > titleLength/2 {
			end = space
		}
		return line[:end] + "…"
	}
	return ""
}
