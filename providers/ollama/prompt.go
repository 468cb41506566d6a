package ollama

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"marvin/providers"
)

// A prompt counts as cut when the server read less than half of a low estimate of
// it, and a thousand tokens less at least.
const leastLoss = 1000

// coldLoad tells a model that was loaded for this answer, and so had nothing in its
// cache, from one that was ready, which takes some 20 ms.
const coldLoad = 500 * time.Millisecond

// checkPrompt compares the tokens that the server read with those that were sent
// and adds a notice, once, if it must have cut the prompt.
func (m *Model) checkPrompt(ctx context.Context, request *api.ChatRequest, a *answer, reply *providers.Reply) {
	read, sent := a.usage.Input, estimate(request)
	if read == 0 || read > sent/2 || sent-read < leastLoss {
		return // 0: an old server that had the whole prompt in its cache
	}
	if !m.countsAll(ctx, read, a) || !m.warned.CompareAndSwap(false, true) {
		return
	}
	window := m.facts().window
	next := fmt.Sprintf("start the server with OLLAMA_CONTEXT_LENGTH=%d, or give the model a larger num_ctx", max(DefaultWindow, 2*sent))
	if own := m.facts().own; own > 0 && window >= own {
		next = fmt.Sprintf("%s itself has a window of only %d tokens; choose a model with a larger one", m.config.Model, window)
	}
	reply.Notices = append(reply.Notices, fmt.Sprintf(
		"Ollama read only %d of about %d tokens: it dropped the beginning of the conversation or the tools, and the answer may ignore them. To avoid that, %s.", read, sent, next))
}

// countsAll reports whether the number of tokens read is that of the whole prompt.
// Servers before v0.2 left out what they had in their cache
// (https://github.com/ollama/ollama/pull/5371): theirs counts only if nothing can
// have been in it, or if it is the size of the window, as it is for a cut prompt.
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

// estimate is how many tokens a prompt has at the least, without what templates
// add: a token for each four bytes that are not blank. Prose has about three and a
// half of them in a token, code and JSON two to three.
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
