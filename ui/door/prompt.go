package door

import (
	"marvin/messages"
	"marvin/ui/rpc"
)

// whole returns the form of a request to write. A prompt includes its authors and attachments,
// which other programs cannot set.
func whole(request messages.Request) any {
	prompt, is := request.Op.(messages.Prompt)
	if !is || len(prompt.By) == 0 && prompt.Parts == nil {
		return request
	}
	return rpc.WholePrompt(request.ID, prompt)
}
