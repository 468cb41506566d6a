package chat

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/tidwall/gjson"

	"marvin/persistence/internal/store"
)

// Log is the chat log of a profile, the file chat_log.json.
type Log struct{ profile store.Profile }

// New returns the chat log of a profile.
func New(p store.Profile) Log { return Log{p} }

// Entry is a message in the chat log. Role is "you", "assistant" or "system". Time is the local
// time as HH:MM, or an ISO timestamp if Marvin's TypeScript version wrote the entry.
type Entry struct {
	Role string `json:"role"`
	Text string `json:"text"`
	Time string `json:"time"`
}

const (
	// rewriteLimit is the largest size, in bytes, of a log that Append replaces completely, so that
	// older versions of Marvin never see a partial log. Replacing a log takes 1 ms plus the time
	// for fsync. Replacing a longer log would delay each turn, so [writeEnd] overwrites only the
	// closing bracket.
	rewriteLimit = 512 << 10
	// salvageCount limits the number of entries that a new log takes over from a damaged one.
	salvageCount = 100
)

// Append adds entries to the log. It skips entries without text and sets missing times. It never
// removes entries.
func (c Log) Append(entries ...Entry) (err error) {
	return c.profile.Home.WithLock(c.profile.Path("chat_log.json"), func(path string) error {
		entries = c.stamped(entries)
		if len(entries) == 0 {
			return nil
		}
		file, size, err := store.OpenRegular(os.OpenFile, path)
		if err != nil {
			return err
		}
		if file == nil {
			return c.begin(path, entries)
		}
		defer file.Close()
		if size > rewriteLimit {
			return c.appendInPlace(path, file, entries)
		}
		data := make([]byte, size)
		if _, err := file.ReadAt(data, 0); err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		if len(bytes.TrimSpace(data)) == 0 {
			return c.begin(path, entries)
		}
		if !gjson.ValidBytes(data) || bytes.TrimSpace(data)[0] != '[' { // this check is ten times as fast as decoding
			if err := json.Unmarshal(data, new([]json.RawMessage)); err != nil {
				return c.restart(path, err, entries)
			}
		}
		at, addition, err := continuation(data, entries)
		if err != nil {
			return err
		}
		return store.Replace(path, append(data[:at], addition...), store.Lasting)
	})
}

func (c Log) stamped(entries []Entry) []Entry {
	var stamped []Entry
	for _, entry := range entries {
		if strings.TrimSpace(entry.Text) == "" {
			continue
		}
		entry.Time = cmp.Or(entry.Time, c.profile.Home.Now().Format("15:04"))
		stamped = append(stamped, entry)
	}
	return stamped
}

func (c Log) begin(path string, entries []Entry) error {
	content, err := wholeLog(entries)
	if err != nil {
		return err
	}
	return store.Replace(path, content, store.Lasting)
}

func wholeLog(entries []Entry) ([]byte, error) {
	_, content, err := continuation([]byte("[]"), entries)
	return append([]byte("["), content...), err
}

// restart replaces a damaged log with a new log. The last readable entries remain, so that the
// conversation keeps its context.
func (c Log) restart(path string, why error, entries []Entry) error {
	saved, err := c.Tail(salvageCount)
	var damaged *store.DamagedError
	if err != nil && !errors.As(err, &damaged) {
		return err
	}
	content, err := wholeLog(append(saved, entries...))
	if err != nil {
		return err
	}
	return c.profile.Home.Renew(path, why, content, store.Lasting)
}

func (c Log) appendInPlace(path string, file *os.File, entries []Entry) error {
	if err := endAppend(path); err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	window := make([]byte, 4<<10)
	start := info.Size() - int64(len(window))
	if _, err := file.ReadAt(window, start); err != nil {
		return fmt.Errorf("read the end of %s: %w", path, err)
	}
	at, addition, err := continuation(window, entries)
	if err != nil {
		return c.restart(path, err, entries)
	}
	return writeEnd(path, start+int64(at), addition)
}

// continuation returns an offset and new bytes. Replacing data[at:] with these bytes appends the
// entries to a JSON array. data is the whole array or only its end.
func continuation(data []byte, entries []Entry) (at int, addition []byte, err error) {
	body, closed := bytes.CutSuffix(bytes.TrimSpace(data), []byte("]"))
	body = bytes.TrimSpace(body)
	var out bytes.Buffer
	switch {
	case closed && bytes.HasSuffix(body, []byte("}")):
		out.WriteString(",")
	case closed && bytes.HasSuffix(body, []byte("[")):
	default:
		return 0, nil, errors.New("it does not end like a list of entries")
	}
	for i, entry := range entries {
		if i > 0 {
			out.WriteString(",")
		}
		encoded, err := store.EncodeValue(entry)
		if err != nil {
			return 0, nil, err
		}
		out.WriteString("\n  ")
		if err := json.Indent(&out, encoded, "  ", "  "); err != nil {
			return 0, nil, err
		}
	}
	out.WriteString("\n]")
	return bytes.LastIndexByte(data, body[len(body)-1]) + 1, out.Bytes(), nil
}
