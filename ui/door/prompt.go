package door

import (
	"marvin/messages"
	"marvin/ui/rpc"
)

// wireForm returns the value to send for a request. The attachments and authors of a prompt are
// included; only a Marvin process can set them.
func wireForm(request messages.Request) any {
	prompt, is := request.Op.(messages.Prompt)
	if !is || len(prompt.By) == 0 && prompt.Parts == nil {
		return request
	}
	return rpc.WholePrompt(request.ID, prompt)
}
