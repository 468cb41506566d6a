package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/prompt"
	"marvin/actors/internal/task"
	"marvin/messages"
)

// context answers [messages.ShowContext] and [messages.ShowNeeds].
func (l *lookups) context(c actor.Context, op messages.Op) {
	if _, needs := op.(messages.ShowNeeds); needs {
		l.tell(l.state.needs(l.config))
		return
	}
	look := window{
		config: l.config, conversation: l.state.conversation, tools: l.config.Tools.Now(), frame: l.state.frame, offered: l.state.offered, committed: l.state.committed,
		background: jobsClient{root: c.ActorSystem().Root, table: l.jobs, home: l.config.Home, dir: l.state.conversation.Dir},
	}
	task.Do(c, func() any { return messages.ContextShown{Parts: look.parts()} }, func(panicked *task.Panicked) any {
		return messages.Notice{Level: messages.Problem, Text: "what is in the window could not be found out: " + panicked.Error()}
	})
}

// factParts are the facts in the window, one each.
func factParts(sections []prompt.Section, count func(string) int) (parts []messages.ContextPart) {
	for _, section := range sections {
		if section.Name != prompt.FactsSection {
			continue
		}
		for _, fact := range prompt.FactsIn(section) {
			parts = append(parts, messages.ContextPart{Kind: "fact", Name: fact, Tokens: count(fact)})
		}
	}
	return parts
}
