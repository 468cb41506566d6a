package responses

import "marvin/providers/internal/scan"

// scanner reads the events that come for each piece of an answer, whose delta is words,
// thoughts or arguments, without encoding/json, to which it leaves all others. Both never
// disagree (FuzzScan).
type scanner struct {
	scan.Scanner
	read event
	kind string // of the event before, which is mostly the same
}

// decode reads an event, which is valid until the next one, or says that it cannot be read.
func (s *scanner) decode(data []byte) (*event, bool) {
	return &s.read, scan.Decode(data, &s.read, s.event)
}

// event reads data into an empty event, or says that encoding/json should.
func (s *scanner) event(data []byte, into *event) bool {
	s.Begin(data)
	return s.Members(func(key []byte) bool {
		switch string(key) {
		case "type":
			return s.Again(&s.kind, &into.Type)
		case "output_index":
			return s.Number(&into.Index)
		case "delta":
			return s.Text(&into.Delta)
		case "code":
			return s.Text(&into.Code)
		case "item", "error", "response":
			return s.Word("null")
		}
		return s.Other(key)
	}) && s.End()
}
