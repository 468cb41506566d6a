package actors

import (
	"cmp"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/budget"
	"marvin/actors/internal/prompt"
	"marvin/actors/internal/task"
	"marvin/actors/internal/transcript"
	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

// How a turn begins: what a request needs is gathered beside the actor, and the
// first request goes out once it is there.

func (r *router) start(c actor.Context) {
	policy := r.brief.conversation.Policy
	r.mode = policy.mode()
	r.workers = map[string]int{}
	r.choice = r.brief.conversation.Choice
	r.compactAsked = r.brief.compact
	if limit := policy.Limits.Time; limit > 0 {
		task.After(c, limit, overtime{})
	}
	r.prepare(c)
	r.describe(c, r.config.Registry.Offer(r.mode))
	r.listen(c)
}

// describe makes the schemas that a request carries. At the start this runs beside
// prepare: inferring thirty of them takes about 1.5 ms.
func (r *router) describe(c actor.Context, more []tools.Tool) {
	task.Do(c, func() any { return describe(more) }, func(panicked *task.Panicked) any {
		return described{problems: []string{"tools could not be described: " + panicked.Error()}}
	})
}

func describe(list []tools.Tool) described {
	var message described
	for _, tool := range list {
		schema, err := tool.Schema()
		if err != nil {
			message.problems = append(message.problems, err.Error())
			continue
		}
		message.specs = append(message.specs, providers.ToolSpec{Name: tool.Name, Doc: tool.Doc, Schema: schema})
	}
	return message
}

// described makes tools callable from the next request on. Specs are only appended,
// so that the prefix of a request stays what it was.
func (r *router) described(c actor.Context, message described) {
	for _, problem := range message.problems {
		c.Send(r.brief.session, messages.Notice{Level: messages.Problem, Text: problem})
	}
	for _, spec := range message.specs {
		if !slices.ContainsFunc(r.offered, func(known providers.ToolSpec) bool { return known.Name == spec.Name }) {
			r.offered = append(r.offered, spec)
		}
	}
	r.toolsReady = true
	r.begin(c)
}

// prepare reads what the system text is made of; it runs again when a tool changed
// the working directory or the profile.
func (r *router) prepare(c actor.Context) {
	r.phase, r.filesRead, r.filesReady = preparing, false, false
	r.reading++
	reading := r.reading
	conversation, seed := r.brief.conversation, r.turn == nil && len(r.brief.history) == 0 && !r.brief.compact
	office := desk{root: c.ActorSystem().Root, table: r.jobs, home: r.config.Home, dir: conversation.Dir}
	r.stopWaiting = task.After(c, r.config.Tuning.Prepare, prepared{
		reading: reading,
		system:  prompt.Build(bare(r.config, conversation)),
		notices: []string{"reading the profile and the project's files took too long; going on without them"},
		trust:   conversation.trust,
	})
	mode, ask := r.mode, !r.brief.compact
	task.Do(c, func() any {
		ready := gather(r.config, conversation, mode, seed, ask, office)
		ready.reading = reading
		return ready
	}, func(panicked *task.Panicked) any {
		return prepared{reading: reading, system: prompt.Build(bare(r.config, conversation)), notices: []string{"the profile could not be read: " + panicked.Error()}, trust: conversation.trust}
	})
}

func (r *router) prepared(c actor.Context, message prepared) {
	if r.phase != preparing || r.filesRead || message.reading != r.reading {
		return // a reading that came after its deadline
	}
	r.filesRead = true
	r.stopWaiting()
	for _, notice := range message.notices {
		c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: notice})
	}
	r.system = message.system
	r.trust(c, message.trust)
	switch {
	case r.turn != nil:
	case r.brief.compact:
		r.turn = transcript.Resume(r.brief.history, r.brief.turn)
	default:
		history := append(message.history, r.brief.history...)
		r.turn = transcript.New(budget.Cap(history, r.brief.conversation.Policy.maxMessages()), r.brief.turn, r.brief.prompt)
	}
	if message.strange != nil && !r.cancel {
		r.strange = message.strange
		c.Request(r.brief.session, r.strange.question(r.brief.turn, r.round))
		return
	}
	r.filesReady = true
	r.begin(c)
}

// begin asks once everything that a request needs is there.
func (r *router) begin(c actor.Context) {
	switch {
	case r.phase != preparing || !r.filesReady || !r.toolsReady || !r.newsReady:
	case r.cancel:
		r.end(c, r.cancelled(), r.limit)
	default:
		if len(r.news) > 0 {
			r.turn.AddNews(newsText(r.news))
			r.news, r.brief.tainted = nil, cmp.Or(r.brief.tainted, "what came meanwhile")
		}
		r.ask(c)
	}
}
