package anthropic

import "marvin/providers/internal/scan"

// scanner decodes the most frequent events, such as content_block_delta, without encoding/json, and
// leaves the other events to encoding/json. FuzzScan checks that both decoders give the same
// results.
type scanner struct {
	scan.Scanner
	read        event
	kind, grown string // types of the previous event and delta, reused to avoid allocations
}

// decode returns false if the event cannot be read. A returned event is valid until the next call.
func (s *scanner) decode(data []byte) (*event, bool) {
	return &s.read, scan.Decode(data, &s.read, s.event)
}

// event decodes data into the given event, which must be empty. A false result means that
// encoding/json must decode the data.
func (s *scanner) event(data []byte, into *event) bool {
	s.Begin(data)
	return s.Members(func(key []byte) bool {
		switch string(key) {
		case "type":
			return s.TextAgain(&s.kind, &into.Type)
		case "index":
			return s.Number(&into.Index)
		case "delta":
			return s.Members(func(key []byte) bool { return s.delta(key, into) })
		case "message", "content_block", "usage":
			return s.Word("null")
		case "error":
			return false
		}
		return s.SkipUnused(key)
	}) && s.End()
}

func (s *scanner) delta(key []byte, into *event) bool {
	switch string(key) {
	case "type":
		return s.TextAgain(&s.grown, &into.Delta.Type)
	case "text":
		return s.Text(&into.Delta.Text)
	case "thinking":
		return s.Text(&into.Delta.Thinking)
	case "signature":
		return s.Text(&into.Delta.Signature)
	case "partial_json":
		return s.Text(&into.Delta.PartialJSON)
	case "stop_reason":
		return s.Text(&into.Delta.StopReason)
	}
	return s.SkipUnused(key)
}
