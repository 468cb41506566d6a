package door

import (
	"marvin/messages"
	"marvin/ui/rpc"
)

// whole is a request as it is written. A prompt takes its authors and what it attaches along,
// which other programs cannot say.
func whole(request messages.Request) any {
	prompt, is := request.Op.(messages.Prompt)
	if !is || len(prompt.By) == 0 && prompt.Parts == nil {
		return request
	}
	return rpc.WholePrompt(request.ID, prompt)
}
