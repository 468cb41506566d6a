package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits contains size limits for text that the model reads. Text that is too long loses its
// middle, because commands print important lines at the beginning and at the end.
type Limits struct {
	Bytes, Lines, LineBytes, Tokens int
}

// ResultLimits are the limits of every tool result.
var ResultLimits = Limits{Bytes: 64 << 10, Lines: 2000, LineBytes: 4 << 10, Tokens: 16_000}

// Cut shortens text to the limits, and reports whether it omitted anything. The result is valid
// UTF-8, and a note marks each omission.
func (l Limits) Cut(text string) (string, bool) {
	if !utf8.ValidString(text) { // the check is 30 times as fast as the conversion
		text = strings.ToValidUTF8(text, "�")
	}
	text, changed := l.cutLines(text)
	if l.Lines > 0 && strings.Count(text, "\n") >= l.Lines {
		lines := strings.Split(text, "\n")
		head, tail := l.Lines*3/5, l.Lines*2/5
		omitted := len(lines) - head - tail
		text = strings.Join(lines[:head], "\n") + fmt.Sprintf("\n[… %d lines left out …]\n", omitted) + strings.Join(lines[len(lines)-tail:], "\n")
		changed = true
	}
	room := l.Bytes
	if l.Tokens > 0 && len(text) > 2*l.Tokens { // a shorter text cannot exceed the limit
		if tokens := EstimateTokens(text); tokens > l.Tokens {
			byTokens := int(float64(len(text)) * float64(l.Tokens) / float64(tokens))
			if room == 0 || byTokens < room {
				room = byTokens
			}
		}
	}
	if room > 0 && len(text) > room {
		text, changed = cutMiddle(text, room), true
	}
	return text, changed
}

// cutLines truncates lines that are longer than l.LineBytes, and reports whether it truncated any.
func (l Limits) cutLines(text string) (string, bool) {
	if l.LineBytes == 0 || !longerLine(text, l.LineBytes) {
		return text, false
	}
	var out strings.Builder
	changed := false
	for line := range strings.Lines(text) {
		body, newline := strings.CutSuffix(line, "\n")
		if len(body) > l.LineBytes {
			kept := runeFloor(body, l.LineBytes)
			body = fmt.Sprintf("%s[… %d more bytes on this line]", body[:kept], len(body)-kept)
			changed = true
		}
		out.WriteString(body)
		if newline {
			out.WriteByte('\n')
		}
	}
	return out.String(), changed
}

// longerLine reports whether text has a line that is longer than the given number of bytes.
func longerLine(text string, most int) bool {
	for len(text) > most {
		end := strings.LastIndexByte(text[:most+1], '\n')
		if end < 0 {
			return true
		}
		text = text[end+1:]
	}
	return false
}

func cutMiddle(text string, room int) string {
	head := runeFloor(text, room*3/5)
	tail := len(text) - room*2/5
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	if tail <= head {
		return text
	}
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", text[:head], tail-head, text[tail:])
}

// runeFloor rounds a limit down to the nearest rune boundary in text.
func runeFloor(text string, limit int) int {
	if limit >= len(text) {
		return len(text)
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return limit
}

// EstimateTokens estimates the number of tokens in text. It counts one token for every four ASCII
// bytes, and one token for every rune that is not ASCII. The estimate is meant for size limits;
// budgets use providers/tokens.
func EstimateTokens(text string) int {
	ascii, wide := 0, 0
	for i := range len(text) {
		switch b := text[i]; {
		case b < utf8.RuneSelf:
			ascii++
		case utf8.RuneStart(b):
			wide++
		}
	}
	return (ascii+3)/4 + wide
}
