package foreign

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"github.com/tidwall/gjson"
)

// ErrUnknown means that a file is not a log of a supported assistant.
var ErrUnknown = errors.New("this is not a log of Claude Code, Codex or omp")

// longestLine is the maximum length of a line, in bytes. A line can contain image data.
const longestLine = 64 << 20

// Read reads a log.
func Read(file io.Reader) (*Log, error) {
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 64<<10), longestLine)
	log := &Log{}
	var all []gjson.Result
	for lines.Scan() {
		switch text := strings.TrimSpace(lines.Text()); {
		case text == "":
		case gjson.Valid(text) && text[0] == '{':
			all = append(all, gjson.Parse(text))
		default:
			log.Skipped++
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	for _, known := range []struct {
		by   string
		is   func(gjson.Result) bool
		read func(*Log, []gjson.Result)
	}{{"omp", isOMP, readOMP}, {"Codex", isCodex, readCodex}, {"Claude Code", isClaude, readClaude}} {
		for _, line := range all[:min(len(all), 20)] {
			if known.is(line) {
				log.By = known.by
				known.read(log, all)
				return log, nil
			}
		}
	}
	return nil, ErrUnknown
}
