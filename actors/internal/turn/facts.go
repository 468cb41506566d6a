package turn

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence/memory"
	"marvin/tools"
)

// This file adds remembered facts to the system text, and erases forgotten facts from the
// conversation.

// recall puts the current facts into the system text. If the facts have changed, the user sees a
// notice.
func (p *preparation) recall(c actor.Context) {
	before := p.frame.Facts()
	if p.framed() {
		p.frame = p.frame.WithFacts(p.parts.Facts)
	}
	if now := p.parts.Facts; len(now) > 0 && !slices.Equal(before, now) && !p.input.Compact {
		p.note(c, messages.Info, "Remembered: "+named3(now, p.input.Prompt))
	}
}

// message returns the name of the turn's prompt as "conversation ID/TURN".
func (t *turnState) message() string {
	id := t.conversation.Stored.ID()
	if id == "" {
		id = "that is not stored"
	}
	return "conversation " + id + "/" + strings.TrimPrefix(t.input.Turn, "t")
}

// named3 lists up to three facts. Facts that match the prompt come first.
func named3(facts []string, prompt string) string {
	all := make([]memory.Fact, len(facts))
	for i, fact := range facts {
		all[i].Text = fact
	}
	best := memory.Search(all, prompt, 3)
	for i := 0; i < len(all) && len(best) < 3; i++ {
		if !slices.ContainsFunc(best, func(fact memory.Fact) bool { return fact.Text == all[i].Text }) {
			best = append(best, all[i])
		}
	}
	texts := lists.Map(best, func(fact memory.Fact) string { return tools.Visible(fact.Text) })
	said := strings.Join(texts, "; ")
	if more := len(facts) - len(best); more > 0 {
		said += fmt.Sprintf("; and %d more, which /context lists", more)
	}
	return said
}

// erase removes the text of forgotten facts from the conversation. If includePrompt is false, the
// turn's prompt remains unchanged, because the prompt is newer than the facts.
func (t *turnState) erase(includePrompt bool) {
	fresh, count := memory.Open(t.Config.Home).ErasersSince(t.input.Erased)
	t.input.Erased = count
	if len(fresh) == 0 || t.turn == nil {
		return
	}
	all, changed := slices.Clone(t.turn.Messages()), false
	// Tool calls and backups can still read the old slice.
	t.input.History = slices.Clone(t.input.History)
	end := t.turn.Base()
	if includePrompt {
		end = len(all)
	}
	for _, words := range fresh {
		found := func(fact string) bool { return words.Matches(fact) }
		t.parts.Facts = slices.DeleteFunc(slices.Clone(t.parts.Facts), found)
		t.frame = t.frame.WithFacts(slices.DeleteFunc(t.frame.Facts(), found))
		if includePrompt {
			t.input.Prompt = words.Text(t.input.Prompt)
		}
		for i := range t.input.History {
			eraseIn(&t.input.History[i], words)
		}
		for i := range all[:end] {
			changed = eraseIn(&all[i], words) || changed
		}
	}
	if changed {
		t.turn.Rewrite(all, 0)
	}
}

// eraseIn removes text from a message. If the reasoning contains the text, eraseIn drops the whole
// reasoning, because a provider that signed the reasoning would refuse an edited version.
func eraseIn(message *messages.Message, words memory.Eraser) (changed bool) {
	text := func(old string) string {
		fresh := words.Text(old)
		changed = changed || fresh != old
		return fresh
	}
	message.Text, message.Result.Text = text(message.Text), text(message.Result.Text)
	calls := slices.Clone(message.Calls)
	for i := range calls {
		calls[i].Args = json.RawMessage(text(string(calls[i].Args)))
	}
	message.Calls = calls
	encoded, err := json.Marshal(message.Thinking)
	if err != nil || words.Matches(string(encoded)) {
		message.Thinking, changed = nil, true
	}
	return changed
}
