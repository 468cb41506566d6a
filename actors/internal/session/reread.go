package session

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
)

// reread is the result of reloading servers, hooks and tools.
type reread struct{ told []messages.Notice }

// rereadFor starts a reload of servers, hooks and tools, at most once for each prompt. It reports
// whether the prompt must wait for the reload.
func (h *sessionHooks) rereadFor(c actor.Context, prompt *waitingPrompt) bool {
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

// useReloaded gives the conversation the reloaded hooks and shows the notices from the reload.
func (h *sessionHooks) useReloaded(message reread) {
	h.reread()
	for _, notice := range message.told {
		h.tell(notice)
	}
	h.state.conversation.Hooks = h.config.Brought.HooksFor(h.state.conversation.Policy.FromOtherMarvin)
}

// reread terminates the wait for the reload.
func (h *sessionHooks) reread() {
	if h.rereads {
		h.rereads = false
		h.waits--
	}
}
