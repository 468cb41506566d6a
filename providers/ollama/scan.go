package ollama

import "marvin/providers/internal/scan"

// scanner decodes lines whose only content is text or reasoning. Ollama's client decodes all other
// lines, but is slower, because it decodes each line twice.
type scanner struct {
	scan.Scanner
	model string // the previous line's model name, for TextAgain to reuse
}

// piece contains the model name, the text and the reasoning from one line.
type piece struct{ model, text, thinking string }

// line decodes one line. If ok is false, the client must decode the line.
func (s *scanner) line(data []byte) (read piece, ok bool) {
	s.Begin(data)
	said, goesOn := false, false
	ok = s.Members(func(key []byte) bool {
		switch string(key) {
		case "model":
			return s.TextAgain(&s.model, &read.model)
		case "message":
			said = true
			return s.Members(func(key []byte) bool { return s.message(key, &read) })
		case "done":
			goesOn = true
			return s.Word("false")
		case "error", "signin_url", "done_reason", "prompt_eval_count", "eval_count", "load_duration":
			return false
		}
		return s.SkipUnused(key)
	})
	return read, ok && said && goesOn && s.End()
}

func (s *scanner) message(key []byte, read *piece) bool {
	switch string(key) {
	case "content":
		return s.Text(&read.text)
	case "thinking":
		return s.Text(&read.thinking)
	case "tool_calls", "images":
		return s.Word("null")
	}
	return s.SkipUnused(key)
}
