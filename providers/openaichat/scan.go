package openaichat

import "marvin/providers/internal/scan"

// scanner decodes the usual chunks, which contain little more than a piece of text. It leaves tool
// calls, usage, several choices and everything unusual to encoding/json. FuzzScan checks that
// scanner and encoding/json give the same result.
type scanner struct {
	scan.Scanner

	// These fields hold the choice and the delta of a chunk until the next chunk is decoded.
	choices [1]choice
	delta   delta
	// These strings come from the previous chunk. TextAgain reuses a string that has not changed.
	object, model string
}

// chunk decodes the usual chunks. If ok is false, the caller must use encoding/json.
func (s *scanner) chunk(data []byte) (c chunk, ok bool) {
	s.Begin(data)
	s.choices, s.delta = [1]choice{}, delta{}
	ok = s.Members(func(key []byte) bool {
		switch string(key) {
		case "object":
			return s.TextAgain(&s.object, &c.Object)
		case "model":
			return s.TextAgain(&s.model, &c.Model)
		case "choices":
			return c.Choices == nil && s.choice(&c)
		case "usage", "error":
			return s.Word("null")
		}
		return s.SkipUnused(key)
	})
	return c, ok && s.End()
}

// choice decodes a "choices" array with at most one element.
func (s *scanner) choice(c *chunk) bool {
	if !s.Take('[') {
		return false
	}
	c.Choices = s.choices[:0]
	if s.Take(']') {
		return true
	}
	c.Choices = s.choices[:1]
	one := &s.choices[0]
	return s.Members(func(key []byte) bool {
		switch string(key) {
		case "delta":
			if one.Delta != nil {
				return false
			}
			one.Delta = &s.delta
			return s.Members(s.piece)
		case "finish_reason":
			return s.Text(&one.FinishReason)
		case "message":
			return s.Word("null")
		}
		return s.SkipUnused(key)
	}) && s.Take(']')
}

func (s *scanner) piece(key []byte) bool {
	switch string(key) {
	case "content":
		return s.Text((*string)(&s.delta.Content.said))
	case "reasoning":
		return s.Text((*string)(&s.delta.Reasoning))
	case "reasoning_content":
		return s.Text(&s.delta.ReasoningContent)
	case "refusal":
		return s.Text(&s.delta.Refusal)
	case "reasoning_details", "tool_calls":
		return s.Word("null")
	}
	return s.SkipUnused(key)
}
