package door

import (
	"marvin/messages"
	"marvin/ui/rpc"
)

// wireForm returns a request in the form that is written to the connection. This form of a prompt
// includes authors and attachments, which other programs cannot set.
func wireForm(request messages.Request) any {
	prompt, is := request.Op.(messages.Prompt)
	if !is || len(prompt.By) == 0 && prompt.Parts == nil {
		return request
	}
	return rpc.WholePrompt(request.ID, prompt)
}
