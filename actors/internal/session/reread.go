package session

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
)

// reread comes from the goroutine that reads again.
type reread struct{ told []messages.Notice }

// rereadFor has what others bring read again before a prompt is taken, and says whether it is
// waited for.
func (h *sessionHooks) rereadFor(c actor.Context, prompt *waiting) bool {
	if h.config.Others.Reread == nil || prompt.reread || h.state.conversation.Policy.Agent {
		return false
	}
	prompt.reread = true
	h.rereads = true
	h.waits++
	servers := h.servers
	task.Do(c, func() any { return reread{told: servers.Renew()} }, func(panicked *task.Panicked) any {
		return reread{told: []messages.Notice{{Level: messages.Problem, Text: "Marvin could not reload servers, hooks and tools from config.yaml: " + panicked.Error()}}}
	})
	return true
}

// tookUp has the conversation hold to what was read again.
func (h *sessionHooks) tookUp(message reread) {
	h.reread()
	for _, notice := range message.told {
		h.tell(notice)
	}
	h.state.conversation.Hooks = h.config.Brought.HooksFor(h.state.conversation.Policy.Delegated)
}

// reread says that nothing waits any more for what others bring to be read again.
func (h *sessionHooks) reread() {
	if h.rereads {
		h.rereads = false
		h.waits--
	}
}
