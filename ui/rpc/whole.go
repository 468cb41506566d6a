package rpc

import (
	"errors"

	"marvin/messages"
)

// wholePrompt is the part of a prompt that other programs cannot set: the author of each piece, and
// the attachments. Only another Marvin of the same user sends this part.
type wholePrompt struct {
	By    []messages.Authored   `json:"by,omitempty"`
	Parts *messages.PromptParts `json:"parts,omitempty"`
}

// WholePrompt returns a prompt in the form in which one Marvin sends it to another.
func WholePrompt(id string, prompt messages.Prompt) any {
	return struct {
		Version int             `json:"v"`
		ID      string          `json:"id,omitempty"`
		Type    string          `json:"type"`
		Op      messages.Prompt `json:"op"`
		Whole   wholePrompt     `json:"whole"`
	}{messages.WireVersion, id, messages.OpName(prompt), prompt, wholePrompt{prompt.By, prompt.Parts}}
}

// forwardWhole forwards a prompt from another Marvin.
func (s *Server) forwardWhole(request messages.Request, rest wholePrompt) error {
	prompt, is := request.Op.(messages.Prompt)
	if !is {
		return errors.New("only a request with a prompt can have the field \"whole\"")
	}
	prompt.By, prompt.Parts = rest.By, rest.Parts
	if err := s.show(&prompt); err != nil {
		return err
	}
	request.Op = prompt
	s.Client.Send(request)
	return nil
}
