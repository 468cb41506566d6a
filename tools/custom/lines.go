package custom

import (
	"bytes"
	"encoding/json"
	"strings"
)

const (
	longestLine = 64 << 10 // maximum length of a line in bytes; the rest of the line is discarded
	mostSaid    = 8 << 10  // maximum size of the error message in bytes; only the end is stored
)

// stderrLines receives a tool's standard error. A line such as {"progress":"…"} reports progress.
// All other lines become the error message if the tool fails.
type stderrLines struct {
	tell func(string)
	line bytes.Buffer
	rest string
}

// Write implements io.Writer.
func (l *stderrLines) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n')
		piece := rest
		if end >= 0 {
			piece = rest[:end]
		}
		l.line.Write(piece[:min(len(piece), longestLine-min(l.line.Len(), longestLine))])
		if end < 0 {
			break
		}
		l.end()
		rest = rest[end+1:]
	}
	return len(p), nil
}

func (l *stderrLines) end() {
	text := l.line.String()
	l.line.Reset()
	var progress struct {
		Progress string `json:"progress"`
	}
	switch {
	case text == "":
	case strings.HasPrefix(text, "{") && json.Unmarshal([]byte(text), &progress) == nil && progress.Progress != "":
		l.tell(progress.Progress)
	default:
		l.rest += text + "\n"
		l.rest = l.rest[max(0, len(l.rest)-mostSaid):]
	}
}

func (l *stderrLines) text() string { return strings.ToValidUTF8(l.rest, "�") }
