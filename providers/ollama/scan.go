package ollama

import "marvin/providers/internal/scan"

// scanner reads the lines that come for each piece of an answer, words or thoughts, without
// encoding/json, by which the client reads each line twice. It leaves calls, the last line,
// errors and all that is unusual to the client. When the line was made is not looked at.
type scanner struct {
	scan.Scanner
	model string // of the line before, which is the same
}

// piece is what is read of such a line.
type piece struct{ model, text, thinking string }

// line reads data, or says that the client should.
func (s *scanner) line(data []byte) (read piece, ok bool) {
	s.Begin(data)
	said, goesOn := false, false
	ok = s.Members(func(key []byte) bool {
		switch string(key) {
		case "model":
			return s.Again(&s.model, &read.model)
		case "message":
			said = true
			return s.Members(func(key []byte) bool { return s.message(key, &read) })
		case "done":
			goesOn = true
			return s.Word("false")
		case "error", "signin_url", "done_reason", "prompt_eval_count", "eval_count", "load_duration":
			return false
		}
		return s.Other(key)
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
	return s.Other(key)
}
