package rpc

import (
	"errors"

	"marvin/messages"
)

// wholePrompt is what a prompt has that a program cannot say: who wrote which piece of it,
// and what it attaches. It goes between two Marvins of one user.
type wholePrompt struct {
	By    []messages.Authored   `json:"by,omitempty"`
	Parts *messages.PromptParts `json:"parts,omitempty"`
}

// WholePrompt is a prompt as one Marvin sends it to another one.
func WholePrompt(id string, prompt messages.Prompt) any {
	return struct {
		Version int             `json:"v"`
		ID      string          `json:"id,omitempty"`
		Type    string          `json:"type"`
		Op      messages.Prompt `json:"op"`
		Whole   wholePrompt     `json:"whole"`
	}{messages.WireVersion, id, messages.OpName(prompt), prompt, wholePrompt{prompt.By, prompt.Parts}}
}

// whole sends a prompt of another Marvin on.
func (s *Server) whole(request messages.Request, rest wholePrompt) error {
	prompt, is := request.Op.(messages.Prompt)
	if !is {
		return errors.New("only a prompt has a whole")
	}
	prompt.By, prompt.Parts = rest.By, rest.Parts
	if err := s.show(&prompt); err != nil {
		return err
	}
	request.Op = prompt
	s.Client.Send(request)
	return nil
}
