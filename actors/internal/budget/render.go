package budget

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"marvin/messages"
	"marvin/tools"
)

// detail limits the size, in bytes, of the text, arguments and result of each message that a model
// summarizes.
type detail struct{ text, args, result int }

var details = []detail{{8000, 1000, 2000}, {2000, 300, 400}, {500, 100, 100}}

const (
	mostParts   = 8   // the maximum number of requests to a model in one compaction
	leastPart   = 200 // in tokens
	promptWords = 400 // the number of tokens reserved for the instructions in each request
)

// render converts the dropped messages to text and splits the text into parts. Each request
// contains one part and the summary of the earlier parts. A part takes only half of the available
// tokens, because the token count is an estimate. If there are too many parts, render omits the
// middle parts, which the backup still contains.
func (p Plan) render() []string {
	room := max((p.input.Limits.Refuse-promptWords-2*p.summary)/2, leastPart)
	var parts []string
	for _, detail := range details {
		if parts = p.split(p.entries(detail), room); len(parts) <= mostParts {
			return parts
		}
	}
	left := len(parts) - mostParts
	tail := parts[left+1:]
	tail[0] = fmt.Sprintf("[… %d parts of the history are left out here …]\n", left) + tail[0]
	return append([]string{parts[0]}, tail...)
}

// entries converts the dropped messages to text. It leaves out calls with an empty result.
func (p Plan) entries(detail detail) []string {
	var entries []string
	add := func(limit int, format, text string, args ...any) {
		if strings.TrimSpace(text) == "" {
			return
		}
		text, _ = tools.Limits{Bytes: limit}.Cut(text)
		entries = append(entries, fmt.Sprintf(format, args...)+text+"\n\n")
	}
	add(4*mostSummary, "Summary of the earlier conversation:\n", p.old.text)
	for i, message := range p.dropped {
		switch message.Role {
		case messages.Tool:
			if !bare(message.Result) {
				add(detail.result, "Result of %s (%s): ", message.Result.Text, message.Result.Name, message.Result.Status)
			}
		case messages.Assistant:
			add(detail.text, "Assistant: ", message.Text)
			for j, call := range message.Calls {
				// Omit call j if message i+1+j is its successful but empty result.
				if at := i + 1 + j; at >= len(p.dropped) || p.dropped[at].Result.Call != call.ID || !bare(p.dropped[at].Result) {
					add(detail.args, "Assistant calls %s ", string(call.Args), call.Name)
				}
			}
		case messages.User:
			add(detail.text, "User: ", message.Text)
		case messages.System:
			add(detail.text, "System: ", message.Text)
		}
	}
	return entries
}

// split combines the entries into parts, and divides entries that are too long. The second argument
// is the maximum size of a part, in tokens.
func (p Plan) split(entries []string, room int) []string {
	var parts []string
	var part strings.Builder
	used := 0
	for _, entry := range entries {
		for entry != "" {
			head := p.head(entry, room)
			tokens := p.input.Count(head)
			if used > 0 && used+tokens > room {
				parts = append(parts, part.String())
				part.Reset()
				used = 0
			}
			part.WriteString(head)
			used += tokens
			entry = entry[len(head):]
		}
	}
	if used > 0 {
		parts = append(parts, part.String())
	}
	return parts
}

// head returns a prefix that has at most the given number of tokens.
func (p Plan) head(text string, tokens int) string {
	for {
		count := p.input.Count(text)
		if count <= tokens {
			return text
		}
		cut := min(len(text)*tokens/count, len(text)*9/10)
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		if cut == 0 {
			// The token count is implausible. Return one character, because "" would make split
			// loop forever.
			_, cut = utf8.DecodeRuneInString(text)
			return text[:cut]
		}
		text = text[:cut]
	}
}
