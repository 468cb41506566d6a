package ollama

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/internal/stream"
)

type answer struct {
	pieces stream.Pieces
	asked  string // the model's name in the request

	text   strings.Builder
	mused  strings.Builder // reasoning
	calls  []messages.ToolCall
	done   bool
	reason string
	model  string
	usage  providers.Usage
	loaded time.Duration // how long the server took to load the model
}

func (a *answer) take(line api.ChatResponse) {
	if a.done {
		return
	}
	a.add(piece{line.Model, line.Message.Content, line.Message.Thinking})
	for _, call := range line.Message.ToolCalls { // Ollama sends each call in one piece
		id := call.ID
		if id == "" {
			id = "call_" + rand.Text()[:12] // servers before v0.12 send no id
		}
		a.calls = append(a.calls, messages.ToolCall{ID: id, Name: call.Function.Name, Args: json.RawMessage(call.Function.Arguments.String())})
		a.pieces.Emit(providers.Part{Kind: providers.CallingPart, Text: call.Function.Name, Size: len(a.calls[len(a.calls)-1].Args)})
		a.pieces.Keep(len(id) + len(call.Function.Name))
	}
	if line.PromptEvalCount > 0 || line.EvalCount > 0 {
		a.usage = providers.Usage{Input: line.PromptEvalCount, Output: line.EvalCount, Known: true}
	}
	if line.Done {
		a.done, a.reason, a.loaded = true, line.DoneReason, line.LoadDuration
	}
}

// add adds text and reasoning to the answer. It returns false if the answer has already ended.
func (a *answer) add(said piece) bool {
	if a.done {
		return false
	}
	if said.thinking != "" {
		a.mused.WriteString(said.thinking)
		a.pieces.Say(providers.ThinkingPart, said.thinking)
	}
	if said.text != "" {
		a.text.WriteString(said.text)
		a.pieces.Say(providers.TextPart, said.text)
	}
	a.model = cmp.Or(a.model, said.model)
	return true
}

func (a *answer) reply() providers.Reply {
	reply := providers.Reply{Text: a.text.String(), Calls: a.calls, Model: a.model, Usage: a.usage}
	keep(a.asked, a.mused.String(), reply.Calls)
	switch {
	case !a.done:
		reply.Finish = providers.Cut
	case a.reason == "length":
		reply.Finish = providers.Length
	case len(a.calls) > 0 || a.reason == "tool_calls":
		reply.Finish = providers.Called // Ollama says stop
	default:
		reply.Finish = providers.Stopped
	}
	return reply
}
