package actors

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence"
	"marvin/providers"
	"marvin/tools"
)

// What the recorder is told. The sender of flush gets flushed once everything that
// was said before it is written.
type (
	callRecord struct {
		call persistence.AuditedCall
		tool string
	}
	spent struct {
		choice Choice
		usage  providers.Usage
		cost   float64
	}
	turnRecord struct {
		conversation   Conversation
		turn           string
		prompt, answer string
		session        *actor.PID // is told turnWritten, also if that failed
	}
	turnWritten struct{ turn string }
	// remarked is a line of the audit log that is no call, and is not counted as one.
	remarked struct{ entry persistence.AuditedCall }
	flush    struct{}
	flushed  struct{}

	wrote struct {
		turns    []turnRecord
		problems []error
	}
)

// recorder writes documents, one batch at a time and never in Receive: a lock or a
// slow disk holds up nobody's mail. What arrives while it writes is one batch.
type recorder struct {
	config  *Config
	batch   batch
	writing bool
	waiting []*actor.PID
}

// batch is what is to be written next.
type batch struct {
	calls []persistence.AuditedCall
	usage persistence.Usage
	dirty bool // usage has something to add
	turns []turnRecord
	shown []shown // notifications, not to be shown again
}

func (b batch) empty() bool {
	return len(b.calls) == 0 && !b.dirty && len(b.turns) == 0 && len(b.shown) == 0
}

func (r *recorder) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case callRecord:
		r.call(message)
	case remarked:
		if r.config.Audit.Path != "" {
			r.batch.calls = append(r.batch.calls, message.entry)
			r.write(c)
		}
	case spent:
		r.batch.usage, r.batch.dirty = addSpent(r.batch.usage, message), true
	case turnRecord:
		if message.conversation.Policy.Persist {
			r.batch.turns = append(r.batch.turns, message)
		}
		r.write(c) // the end of a turn is when documents are written
	case shown:
		r.batch.shown = append(r.batch.shown, message)
		r.write(c)
	case flush:
		r.waiting = append(r.waiting, c.Sender())
		r.write(c)
	case wrote:
		r.wrote(c, message)
	}
}

func (r *recorder) call(message callRecord) {
	if r.config.Audit.Path != "" {
		r.batch.calls = append(r.batch.calls, message.call)
	}
	r.batch.usage.Calls = count(r.batch.usage.Calls, message.tool)
	r.batch.dirty = true
}

// write starts writing what there is, or tells those who wait that there is nothing.
func (r *recorder) write(c actor.Context) {
	if r.writing {
		return
	}
	if r.batch.empty() {
		for _, waiter := range r.waiting {
			c.Send(waiter, flushed{})
		}
		r.waiting = nil
		return
	}
	full, next := r.batch, batch{}
	r.batch, r.writing = next, true
	task.Do(c, func() any { return wrote{full.turns, r.config.store(full)} }, func(panicked *task.Panicked) any {
		return wrote{full.turns, []error{panicked}}
	})
}

func (r *recorder) wrote(c actor.Context, message wrote) {
	r.writing = false
	for _, turn := range message.turns {
		c.Send(turn.session, turnWritten{turn: turn.turn})
	}
	for _, problem := range message.problems {
		r.config.Log.Warn("document not written", "reason", problem)
		if r.config.Problem != nil {
			r.config.Problem(problem) // each: on a full disk the sums fail first, but the turn is what is missed
		}
	}
	r.write(c)
}

// store writes a batch; one document's failure does not keep back the others.
func (config *Config) store(batch batch) (problems []error) {
	var secrets tools.Secrets
	if len(batch.calls)+len(batch.turns) > 0 {
		secrets = tools.SecretsOf(config.Environ, config.Home.User)
	}
	note := func(err error) {
		if err != nil {
			problems = append(problems, err)
		}
	}
	for _, call := range batch.calls {
		call.Args, call.Result = json.RawMessage(secrets.Hide(string(call.Args))), secrets.Hide(call.Result)
		note(config.Audit.Record(call))
	}
	if batch.dirty && config.Home.State != "" {
		if err := config.Home.AddUsage(batch.usage); err != nil {
			note(fmt.Errorf("lifetime usage: %w", err))
		}
	}
	for _, turn := range batch.turns {
		profile := config.Home.Profile(turn.conversation.Profile)
		entries := []persistence.ChatEntry{{Role: "you", Text: secrets.Hide(turn.prompt)}, {Role: "assistant", Text: secrets.Hide(turn.answer)}}
		if err := profile.AppendChat(entries...); err != nil {
			note(fmt.Errorf("chat log: %w", err))
		}
	}
	for _, message := range batch.shown {
		if err := config.Notifier.Told(message.profile, message.news); err != nil {
			note(fmt.Errorf("what ntfy brought may come again: %w", err))
		}
	}
	return problems
}

// addSpent folds a round trip into what is to be added to usage.json.
func addSpent(total persistence.Usage, spent spent) persistence.Usage {
	name, model := spent.choice.Provider, spent.choice.Model
	turns := max(spent.usage.Turns, 1)
	total.Cost += spent.cost
	total.Turns += turns
	if name == providers.Ollama {
		total.OllamaTurns += turns
	}
	total.Calls = add(total.Calls, "_provider:"+name, turns)
	total.ModelTurns = add(total.ModelTurns, model, turns)
	if total.ModelCost == nil {
		total.ModelCost = map[string]float64{}
	}
	total.ModelCost[model] += spent.cost
	if total.ProviderTokens == nil {
		total.ProviderTokens = map[string]persistence.Tokens{}
	}
	tokens := total.ProviderTokens[name]
	tokens = add(tokens, "input", spent.usage.Input)
	total.ProviderTokens[name] = add(tokens, "output", spent.usage.Output)
	return total
}

func count(counts map[string]int, key string) map[string]int { return add(counts, key, 1) }

func add[M ~map[string]int](counts M, key string, n int) M {
	if counts == nil {
		counts = M{}
	}
	counts[key] += n
	return counts
}

// spend adds a round trip to the sums of a session. The maps are fresh ones: the
// old sums may already be on their way to a front end.
func (config *Config) spend(sums messages.Usage, choice Choice, usage providers.Usage) (messages.Usage, float64) {
	cost, known := config.Price.Cost(choice.Provider, choice.Model, usage)
	sums.ModelTurns, sums.ModelCost = maps.Clone(sums.ModelTurns), maps.Clone(sums.ModelCost)
	turns := max(usage.Turns, 1)
	sums.Turns += turns
	sums.ModelTurns[choice.Model] += turns
	sums.ModelCost[choice.Model] += cost
	sums.Cost += cost
	sums.InputTokens += usage.Input
	sums.CachedTokens += usage.Cached
	sums.OutputTokens += usage.Output
	if !known {
		sums.Unpriced = withName(sums.Unpriced, choice.Model)
	}
	return sums, cost
}

func withName(names []string, name string) []string {
	for _, known := range names {
		if known == name {
			return names
		}
	}
	return append(names[:len(names):len(names)], name)
}
