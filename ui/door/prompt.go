package door

import (
	"marvin/messages"
	"marvin/ui/rpc"
)

// wireForm converts a request to the form that is written to the connection. In this form, a prompt
// includes its attachments and the author of each piece. Only Marvin processes can set these.
func wireForm(request messages.Request) any {
	prompt, is := request.Op.(messages.Prompt)
	if !is || len(prompt.By) == 0 && prompt.Parts == nil {
		return request
	}
	return rpc.WholePrompt(request.ID, prompt)
}
