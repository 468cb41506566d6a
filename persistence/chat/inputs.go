package chat

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"marvin/persistence/internal/store"
)

const (
	// inputLimit is the number of lines in the input history.
	inputLimit = 1000
	// inputSlack is the number of lines by which the file can exceed inputLimit. So AddInput
	// rewrites a full file only once per hundred lines, and otherwise appends.
	inputSlack = 100
)

// libeditHeader is the first line of a history file written by macOS's libedit. Such a file encodes
// spaces and non-ASCII characters with octal escapes such as \040.
const libeditHeader = "_HiStOrY_V2_"

// Inputs returns at most the newest 1000 lines of the input history, oldest first.
func Inputs(p store.Profile) ([]string, error) {
	data, err := store.ReadWhole(p.Path("history"), store.DocumentLimit)
	if err != nil {
		return nil, fmt.Errorf("read the input history: %w", err)
	}
	return parseInputs(string(data), inputLimit), nil
}

func parseInputs(text string, limit int) []string {
	var inputs []string
	encoded := false
	for line := range strings.Lines(strings.ToValidUTF8(text, "�")) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == libeditHeader: // appended by the Python implementation of Marvin
			encoded = true
			continue
		case strings.TrimSpace(line) == "", strings.ContainsRune(line, 0): // a power cut can leave NULs
			continue
		case encoded:
			line = decodeInput(line)
		}
		inputs = append(inputs, line)
	}
	return inputs[max(0, len(inputs)-limit):]
}

// decodeInput decodes octal escapes such as \040.
func decodeInput(line string) string {
	var decoded strings.Builder
	for line != "" {
		if line[0] == '\\' && len(line) >= 4 {
			if value, err := strconv.ParseUint(line[1:4], 8, 8); err == nil {
				decoded.WriteByte(byte(value))
				line = line[4:]
				continue
			}
		}
		decoded.WriteByte(line[0])
		line = line[1:]
	}
	return strings.ToValidUTF8(decoded.String(), "�")
}

// AddInput appends a prompt to the input history as one line. It skips a prompt that repeats the
// last line or contains an API key.
func AddInput(p store.Profile, text string) (err error) {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) || holdsKey(text) {
		return nil
	}
	return p.Home.WithLock(p.Path("history"), func(path string) error {
		data, err := store.ReadWhole(path, store.DocumentLimit)
		if err != nil {
			return err
		}
		inputs := parseInputs(string(data), inputLimit+inputSlack)
		if len(inputs) > 0 && inputs[len(inputs)-1] == text {
			return nil
		}
		if len(data) > 0 && len(inputs) < inputLimit+inputSlack && !bytes.Contains(data, []byte(libeditHeader)) {
			line := text + "\n"
			if data[len(data)-1] != '\n' { // a full disk or a power cut left half a line
				line = "\n" + line
			}
			return store.AppendTo(path, []byte(line))
		}
		inputs = append(inputs, text)
		inputs = inputs[max(0, len(inputs)-inputLimit):]
		return store.Replace(path, []byte(strings.Join(inputs, "\n")+"\n"), store.Durable)
	})
}

// holdsKey reports whether text seems to contain an API key of a well-known service.
func holdsKey(text string) bool {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" =:'\"", r) }) {
		for _, begin := range [...]string{"sk-", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "gsk_", "AIza", "AKIA", "xoxb-", "xoxp-"} {
			if strings.HasPrefix(word, begin) && len(word) >= 20 {
				return true
			}
		}
	}
	return false
}
