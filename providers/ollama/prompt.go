package ollama

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"marvin/providers"
)

// leastLoss is the smallest loss, in tokens, that checkPrompt reports. In addition, the server must
// have read at most half of the estimated tokens.
const leastLoss = 1000

// coldLoad is the minimum load time of a model that was not in memory. For a model in memory,
// servers report about 20 ms.
const coldLoad = 500 * time.Millisecond

// checkPrompt adds a notice to the reply if the token count shows that the server truncated the
// prompt. It adds at most one notice per Model.
func (m *Model) checkPrompt(ctx context.Context, request *api.ChatRequest, a *answer, reply *providers.Reply) {
	read, sent := a.usage.Input, estimate(request)
	if read == 0 || read > sent/2 || sent-read < leastLoss {
		return // an old server reports 0 if the whole prompt was in its cache
	}
	if !m.countsAll(ctx, read, a) || !m.warned.CompareAndSwap(false, true) {
		return
	}
	window := m.facts().window
	next := fmt.Sprintf("start the server with OLLAMA_CONTEXT_LENGTH=%d, or give the model a larger num_ctx", max(DefaultWindow, 2*sent))
	if own := m.facts().own; own > 0 && window >= own {
		next = fmt.Sprintf("choose a model with a larger window, because %s has only %d tokens", m.config.Model, window)
	}
	reply.Notices = append(reply.Notices, fmt.Sprintf(
		"Ollama read only %d of about %d tokens: it dropped the tools or the beginning of the conversation, so the answer may ignore them. To avoid that, %s.", read, sent, next))
}

// countsAll reports whether the server counted the whole prompt. Servers before v0.2 omit cached
// tokens (https://github.com/ollama/ollama/pull/5371), but a model that was just loaded has no
// cache. A count close to the size of the window is also treated as complete, because a truncated
// prompt fills the window.
func (m *Model) countsAll(ctx context.Context, read int, a *answer) bool {
	if a.loaded >= coldLoad || read >= m.facts().window*9/10 {
		return true
	}
	ctx, stop := context.WithTimeout(ctx, askingLimit)
	defer stop()
	version, err := api.NewClient(m.base, m.config.HTTP).Version(ctx)
	if err != nil {
		return false
	}
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); n != 2 {
		return false
	}
	return major > 0 || minor >= 2
}

// estimate returns a low estimate of a prompt's tokens. It ignores the template and assumes four
// nonblank bytes per token. Prose has about 3.5 such bytes per token, and code and JSON have two to
// three.
func estimate(request *api.ChatRequest) int {
	bytes := 0
	for _, message := range request.Messages {
		bytes += solid(message.Content)
		for _, call := range message.ToolCalls {
			bytes += solid(call.Function.Arguments.String()) + len(call.Function.Name)
		}
	}
	for _, tool := range request.Tools {
		bytes += solid(tool.Function.String())
	}
	return bytes / 4
}

func solid(text string) int {
	return len(text) - strings.Count(text, " ") - strings.Count(text, "\n") - strings.Count(text, "\t")
}
