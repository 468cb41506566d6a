package door

import (
	"marvin/messages"
	"marvin/ui/rpc"
)

// wireForm converts a request to the value that is sent. The value of a prompt includes attachments
// and authors, which only a Marvin process can set.
func wireForm(request messages.Request) any {
	prompt, is := request.Op.(messages.Prompt)
	if !is || len(prompt.By) == 0 && prompt.Parts == nil {
		return request
	}
	return rpc.WholePrompt(request.ID, prompt)
}
