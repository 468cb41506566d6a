package audit

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"sync"
	"time"

	"marvin/persistence/internal/store"
)

// LoggedCall is a call in an audit log.
type LoggedCall struct {
	At   time.Time
	Tool string
	Args map[string]string // strings as plain text, other values as JSON
	Cut  bool              // some values were cut in the log
}

// longestAuditLine is the maximum length of a line, in bytes. [Log] writes much shorter lines.
const longestAuditLine = 1 << 20

// cutShort matches the mark at the end of a shortened text.
var cutShort = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`… \(\d+ chars\)$`) })

// Read passes each finished call in an audit log to the callback, in order. It skips invalid lines,
// which other programs might have written, and returns the number of these lines.
func Read(path string, report func(LoggedCall)) (strange int, err error) {
	file, _, err := store.OpenRegular(os.OpenFile, path)
	if err != nil {
		return 0, fmt.Errorf("audit log: %w", err)
	}
	if file == nil {
		return 0, fmt.Errorf("there is no audit log %s; to have Marvin keep one, set MARVIN_SUBAGENT_LOG=%s", path, path)
	}
	defer file.Close()
	lines := bufio.NewReaderSize(file, 64<<10)
	for {
		line, long, err := auditLine(lines)
		if call, ok := loggedCall(line); ok && !long {
			report(call)
		} else if len(line) > 0 && (long || !isBegin(line)) {
			strange++
		}
		if errors.Is(err, io.EOF) {
			return strange, nil
		}
		if err != nil {
			return strange, fmt.Errorf("audit log: %w", err)
		}
	}
}

// auditLine returns the next line without its line break. If the line is longer than
// longestAuditLine, auditLine returns a part of the line and sets long to true.
func auditLine(lines *bufio.Reader) (line []byte, long bool, err error) {
	for {
		piece, err := lines.ReadSlice('\n')
		if len(line)+len(piece) <= longestAuditLine {
			line = append(line, piece...)
		} else {
			long = true
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
			line = line[:len(line)-1]
		}
		return line, long, err
	}
}

// isBegin reports whether [Log.Begin] wrote the line.
func isBegin(line []byte) bool {
	var entry struct {
		Begun string `json:"begun"`
	}
	return json.Unmarshal(line, &entry) == nil && entry.Begun != ""
}

func loggedCall(line []byte) (call LoggedCall, ok bool) {
	var entry struct {
		At   float64                    `json:"ts"`
		Tool string                     `json:"tool"`
		Args map[string]json.RawMessage `json:"args"`
	}
	if json.Unmarshal(line, &entry) != nil || entry.Tool == "" {
		return call, false
	}
	whole, part := math.Modf(entry.At)
	call = LoggedCall{At: time.Unix(int64(whole), int64(part*1e9)), Tool: entry.Tool, Args: map[string]string{}}
	for name, raw := range entry.Args {
		text := string(raw)
		_ = json.Unmarshal(raw, &text) // a value that is not a string stays JSON
		if at := cutShort().FindStringIndex(text); at != nil {
			text, call.Cut = text[:at[0]], true
		}
		call.Args[name] = text
	}
	return call, true
}
