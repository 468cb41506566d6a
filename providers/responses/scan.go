package responses

import "marvin/providers/internal/scan"

// scanner decodes the frequent events, which contain text, reasoning or arguments, without
// encoding/json. All other events are left to encoding/json. FuzzScan checks that both decoders
// give the same results.
type scanner struct {
	scan.Scanner
	read event
	kind string // the type of the previous event, reused to avoid allocations
}

// decode returns an event, or false if the data cannot be read. The event is valid until the next
// call.
func (s *scanner) decode(data []byte) (*event, bool) {
	return &s.read, scan.Decode(data, &s.read, s.event)
}

// event decodes data into an empty event. It returns false for data that it leaves to
// encoding/json.
func (s *scanner) event(data []byte, into *event) bool {
	s.Begin(data)
	return s.Members(func(key []byte) bool {
		switch string(key) {
		case "type":
			return s.TextAgain(&s.kind, &into.Type)
		case "output_index":
			return s.Number(&into.Index)
		case "delta":
			return s.Text(&into.Delta)
		case "code":
			return s.Text(&into.Code)
		case "item", "error", "response":
			return s.Word("null")
		}
		return s.SkipUnused(key)
	}) && s.End()
}
