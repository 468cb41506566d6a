package sessionlog

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"marvin/messages"
	"marvin/persistence/sessions"
)

// Query searches prompts and answers, not tool results. It is safe for concurrent use and must be
// closed.
type Query struct {
	words    []string // in lower case
	marks    [][]byte // the words, encoded as in session files
	beyond   bool     // a word has non-ASCII letters
	sessions sessions.Store
	book     *sessions.WordBook
	rooms    sync.Pool // reusable buffers, each for one line
}

// Found describes the message that a search found in a conversation. If several messages contain
// all words of the query, Found describes the last of them.
type Found struct {
	Role messages.Role
	At   time.Time
	Line string // the line that contains the most query words
}

// NewQuery makes a query from words separated by spaces, and opens the index of all sessions. The
// search ignores case.
func NewQuery(store sessions.Store, words string) *Query {
	query := &Query{words: strings.Fields(strings.ToLower(words)), sessions: store}
	query.rooms.New = func() any { return new([]byte) }
	for _, word := range query.words {
		var plain bytes.Buffer
		encoder := json.NewEncoder(&plain)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(word) // a string can always be encoded
		mark := bytes.TrimSpace(plain.Bytes())
		query.marks = append(query.marks, mark[1:len(mark)-1])
		query.beyond = query.beyond || strings.ContainsFunc(word, func(r rune) bool { return r > 127 })
	}
	query.book = sessions.WordsFor(store, query.words)
	return query
}

// Close closes the query.
func (q *Query) Close() error { return q.book.Close() }

// MayContain reports whether a session can contain all words of the query. Messages that are
// missing from the index are read from the session's file.
func (q *Query) MayContain(info sessions.Info) (bool, error) {
	may, covered := q.book.MayContain(info)
	if covered >= info.Size {
		return may, nil
	}
	words := q.book.Words(info)
	if err := addNewer(q.sessions, info, words, func() { q.book.Keep(info, words) }); err != nil {
		return false, err
	}
	return !slices.ContainsFunc(q.words, func(word string) bool { return !words.Has(word) }), nil
}

// SearchSession finds the newest message that contains every word of the query. If no message
// matches, ok is false.
func (q *Query) SearchSession(info sessions.Info) (found Found, ok bool, err error) {
	room := q.rooms.Get().(*[]byte)
	defer q.rooms.Put(room)
	err = q.sessions.Scan(info, func(line []byte) bool { return q.mayMatch(line, room) }, func(entry sessions.Entry) bool {
		var step struct {
			Prompt   string             `json:"prompt"`
			Messages []messages.Message `json:"messages"`
			Text     string             `json:"text"`
		}
		if json.Unmarshal(entry.Body, &step) != nil {
			return true
		}
		if entry.Kind == asideKind { // an aside has no messages
			step.Messages = []messages.Message{{Role: messages.User, Text: step.Prompt}}
		}
		step.Messages = append(step.Messages, messages.Message{Role: messages.Assistant, Text: step.Text})
		for _, message := range step.Messages {
			if line, has := q.line(message.Text); has && message.Role != messages.Tool {
				found, ok = Found{Role: message.Role, At: entry.At, Line: line}, true
			}
		}
		return !ok
	})
	return found, ok, err
}

// Each line with messages or an aside contains one of these marks near its beginning.
var stepMark, asideMark = []byte(`"kind":"` + stepKind + `"`), []byte(`"kind":"` + asideKind + `"`)

func says(line []byte) bool {
	head := line[:min(len(line), 120)]
	return bytes.Contains(head, stepMark) || bytes.Contains(head, asideMark)
}

// mayMatch reports whether a line can contain all words of the query, without decoding the line.
func (q *Query) mayMatch(line []byte, room *[]byte) bool {
	if !says(line) {
		return false
	}
	if q.beyond {
		*room = append((*room)[:0], bytes.ToLower(line)...)
	} else {
		*room = lower(append((*room)[:0], line...))
	}
	for _, mark := range q.marks {
		if !bytes.Contains(*room, mark) {
			return false
		}
	}
	return true
}

// lower converts ASCII letters to lower case in place, eight bytes at a time. A search spends most
// of its time in this function.
func lower(text []byte) []byte {
	const each = 0x0101010101010101
	rest := text
	for ; len(rest) >= 8; rest = rest[8:] {
		eight := binary.LittleEndian.Uint64(rest)
		low := eight & (0x7f * each)
		// In upper, the high bit of a byte is set if its low seven bits are 'A' to 'Z'.
		upper := (low + (0x80-'A')*each) ^ (low + (0x7f-'Z')*each)
		binary.LittleEndian.PutUint64(rest, eight|(upper&^eight&(0x80*each))>>2)
	}
	for i, b := range rest {
		if b-'A' < 26 {
			rest[i] = b + 'a' - 'A'
		}
	}
	return text
}

// line returns the line that contains the most query words. If a query word is missing from text,
// ok is false.
func (q *Query) line(text string) (line string, ok bool) {
	folded := strings.ToLower(text)
	for _, word := range q.words {
		if !strings.Contains(folded, word) {
			return "", false
		}
	}
	most := 0
	for candidate := range strings.Lines(text) {
		has := 0
		for _, word := range q.words {
			if strings.Contains(strings.ToLower(candidate), word) {
				has++
			}
		}
		if has > most {
			most, line = has, strings.TrimSpace(candidate)
		}
	}
	return line, true
}
