package openaichat

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"marvin/messages"
)

// assembly contains the tool calls of an answer, joined from their pieces. An answer can have
// 131,072 pieces, so the maps speed up the lookup of a piece's call.
type assembly struct {
	calls   []*assembled
	byIndex map[int]*assembled
	byID    map[string]*assembled // the latest call with each id
	whole   int                   // the number of complete calls
}

type assembled struct {
	id, name string
	args     []byte
	nesting  nesting // of args
	whole    bool    // the call has a name and complete arguments
	lost     bool    // a damaged piece may have belonged to this call
	opaque   json.RawMessage
	// head is a piece that has a name but no arguments, and arrived after this call was complete.
	// The piece might begin the next call.
	head *callDelta
}

// add merges a piece into the matching call or into a new call, and returns that call.
func (a *assembly) add(piece callDelta) *assembled {
	args := argumentText(piece.Function.Arguments)
	index, indexed := indexOf(piece.Index)
	call := a.find(piece, index, indexed)
	if call != nil && call.repeats(piece, args) {
		return call
	}
	if call == nil || call.precedes(&piece, args, indexed) {
		call = &assembled{}
		a.calls = append(a.calls, call)
		if indexed {
			if a.byIndex == nil {
				a.byIndex = map[int]*assembled{}
			}
			a.byIndex[index] = call
		}
	}
	if call.id == "" && piece.ID != "" {
		call.id = string(piece.ID)
		if a.byID == nil {
			a.byID = map[string]*assembled{}
		}
		a.byID[call.id] = call
	}
	if piece.Function.Name != "" {
		call.name = piece.Function.Name // not appended, because some servers repeat the name
	}
	if len(piece.ExtraContent) > 0 && string(piece.ExtraContent) != "null" {
		call.opaque = piece.ExtraContent
	}
	call.args = append(call.args, args...)
	call.nesting.read(args)
	if whole := call.name != "" && call.nesting.closed(); whole != call.whole {
		call.whole = whole
		if whole {
			a.whole++
		} else {
			a.whole--
		}
	}
	return call
}

func (a *assembly) closed() bool {
	return len(a.calls) > 0 && a.whole == len(a.calls)
}

// find returns the call with the given index. Without an index, it returns the call with the same
// id, or else the last call. [assembled.precedes] decides whether the piece begins a new call.
func (a *assembly) find(piece callDelta, index int, indexed bool) *assembled {
	if indexed {
		return a.byIndex[index]
	}
	if len(a.calls) == 0 {
		return nil
	}
	if call := a.byID[string(piece.ID)]; call != nil && piece.ID != "" {
		return call
	}
	return a.calls[len(a.calls)-1]
}

// precedes returns true if a piece begins the next call instead of continuing this call. Some
// servers send no index, or the same index for all calls. If the piece has only arguments, the name
// and the id are copied from c.head to the piece.
func (c *assembled) precedes(piece *callDelta, args []byte, indexed bool) bool {
	whole := c.nesting.closed()
	otherID := piece.ID != "" && c.id != "" && piece.ID != text(c.id)
	switch {
	case otherID && !indexed:
		return true
	case otherID && piece.Function.Name != "":
		// The piece has the same index as c. The server could invent an id for each piece, so
		// within the arguments a different id does not begin a new call.
		return whole || len(c.args) == 0
	case piece.Function.Name != "" && !indexed && piece.Function.Name != c.name:
		return true
	case !whole:
		return false
	case len(bytes.TrimSpace(args)) == 0:
		if piece.Function.Name != "" {
			c.head = piece
		}
		return false
	case piece.Function.Name == "" && c.head != nil:
		piece.ID, piece.Function.Name = c.head.ID, c.head.Function.Name
	}
	return piece.Function.Name != ""
}

// repeats returns true if a piece repeats the whole call. Some servers send the whole call after
// its pieces, and running such a call twice could do harm.
func (c *assembled) repeats(piece callDelta, args []byte) bool {
	return c.id != "" && string(piece.ID) == c.id && piece.Function.Name == c.name &&
		bytes.Equal(args, c.args) && c.nesting.closed()
}

// nesting detects the end of a JSON value that arrives in pieces. Calling json.Valid for each piece
// would read the whole value each time.
type nesting struct {
	depth           int
	begun           bool
	quoted, escaped bool
}

func (n *nesting) read(text []byte) {
	for _, b := range text {
		switch {
		case n.escaped:
			n.escaped = false
		case n.quoted:
			n.escaped = b == '\\'
			n.quoted = b != '"'
		case b == '"':
			n.begun, n.quoted = true, true
		case b == '{' || b == '[':
			n.begun = true
			n.depth++
		case b == '}' || b == ']':
			n.depth--
		case !n.begun && b > ' ':
			n.depth = math.MinInt // [nesting.closed] returns false for numbers, booleans and null
		}
	}
}

func (n *nesting) closed() bool { return n.begun && n.depth == 0 && !n.quoted }

// indexOf parses a non-negative integer, with or without quotation marks. It returns false if the
// parsing fails.
func indexOf(raw json.RawMessage) (int, bool) {
	index, err := strconv.Atoi(string(bytes.Trim(raw, `"`)))
	return index, err == nil && index >= 0
}

// argumentText returns the arguments as text. In the protocol they are a string, but some servers
// send an object.
func argumentText(raw json.RawMessage) []byte {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if raw[0] != '"' {
		return raw
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return nil // impossible: the chunk was valid
	}
	return []byte(text)
}

// list returns the calls in the order in which they began. It drops the empty calls that wrong
// indexes cause.
func (a *assembly) list(origin string) []messages.ToolCall {
	var calls []messages.ToolCall
	for _, call := range a.calls {
		if call.name == "" && len(call.args) == 0 {
			continue
		}
		finished := messages.ToolCall{ID: call.id, Name: call.name, Args: call.args}
		if call.opaque != nil {
			finished.Opaque, finished.Origin = call.opaque, origin
		}
		calls = append(calls, finished)
	}
	return calls
}
