package rpc

import (
	"errors"

	"marvin/messages"
)

// wholePrompt contains the author of each piece of a prompt, and the prompt's attachments. Only
// another Marvin process of the same user can set these fields.
type wholePrompt struct {
	By    []messages.Authored   `json:"by,omitempty"`
	Parts *messages.PromptParts `json:"parts,omitempty"`
}

// WholePrompt returns a request for another Marvin process. The request contains the prompt, the
// prompt's authors and the attachments.
func WholePrompt(id string, prompt messages.Prompt) any {
	return struct {
		Version int             `json:"v"`
		ID      string          `json:"id,omitempty"`
		Type    string          `json:"type"`
		Op      messages.Prompt `json:"op"`
		Whole   wholePrompt     `json:"whole"`
	}{messages.WireVersion, id, messages.OpName(prompt), prompt, wholePrompt{prompt.By, prompt.Parts}}
}

// forwardWhole adds the authors and the attachments to the request's prompt, and sends the request
// to s.Client.
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
