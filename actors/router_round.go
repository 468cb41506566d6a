package actors

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/budget"
	"marvin/actors/internal/line"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
)

// A round of tool calls: a worker for each, results by position, and with the last
// one the round is whole.

// Why calls are not run that are not what the model wrote: half a command is never run,
// nor one with a hole.
const (
	cutCalls  = "Error: your reply reached the output limit in the middle of this call, so it was not executed. Make smaller calls: write long files in pieces with create_file and append_file."
	tornCalls = "Error: a piece of your reply was lost on its way here, perhaps of this call, so it was not executed. Make the call again."
)

// refuse answers calls without running any.
func (r *router) refuse(c actor.Context, text string, calls []messages.ToolCall, why string) {
	calls = r.turn.Name(calls)
	results := make([]messages.ToolResult, len(calls))
	for i, call := range calls {
		results[i] = messages.ToolResult{Call: call.ID, Name: call.Name, Status: messages.ToolError, Text: why}
	}
	r.turn.AddRound(r.calling(text, calls), r.told(results, nil))
	r.ask(c)
}

// run starts a worker for each call of a round.
func (r *router) run(c actor.Context, text string, calls []messages.ToolCall) {
	r.phase, r.begun = running, r.config.Now()
	r.inFront, r.calls = text, r.turn.Name(calls)
	r.results, r.origins = make([]messages.ToolResult, len(r.calls)), make([]messages.Origin, len(r.calls))
	clear(r.workers) // the obituary of one that reported may come when the next round runs
	names := make([]string, len(r.calls))
	for i, call := range r.calls {
		names[i] = call.Name
	}
	c.Send(r.brief.session, messages.ToolsCalled{Names: names})
	r.countCalls(c, names)
	room, inLine := r.room(len(r.calls)), &line.Line{}
	mode, conversation := placed(r)
	for i, wish := range r.calls {
		call := worker{
			services: services{config: r.config, pools: r.pools, recorder: r.recorder, session: r.brief.session, jobs: r.jobs},
			situation: situation{
				tools: r.tools, mode: mode, conversation: conversation, usage: r.usage, history: r.brief.history,
				seen: r.brief.seen, tainted: r.tainted, trail: r.brief.trail, room: room,
			},
			position: i, of: len(r.calls), call: wish, standing: standing{line: inLine},
		}
		// On the spot, so that they join the line, and ask, in the order of the reply.
		pid, err := c.SpawnNamed(onTheSpot(props(r.config.Log, func() actor.Actor { return &call })), fmt.Sprintf("call-%d-%d", r.number, i))
		if err != nil {
			panic(err)
		}
		r.workers[pid.Id] = i
	}
}

// placed is where and how the calls of a round work. Those of the prompt are about files that
// a person named: they need no coding mode for that, nor a directory that was chosen.
func placed(r *router) (tools.Mode, Conversation) {
	mode, conversation := r.mode, r.conversation
	if r.before {
		mode.Coding = true
		conversation.Dir = cmp.Or(conversation.Dir, r.config.Dir)
		conversation.Root = cmp.Or(conversation.Root, conversation.Dir)
	}
	return mode, conversation
}

func (r *router) countCalls(c actor.Context, names []string) {
	counts := maps.Clone(r.usage.ToolCalls)
	for _, name := range names {
		counts[name]++
	}
	r.usage.ToolCalls = counts
	c.Send(r.brief.session, messages.UsageChanged{Usage: r.usage, Context: r.context})
}

func (r *router) callEnded(c actor.Context, message callEnded) {
	if r.phase != running || r.results[message.position].Call != "" {
		return
	}
	c.Send(r.brief.session, message.event)
	r.settle(c, message.position, message.result, message.effect)
}

// settle notes a result by position; with the last one the round is whole.
func (r *router) settle(c actor.Context, position int, result messages.ToolResult, effect effect) {
	r.results[position], r.origins[position] = result, effect.origin
	r.exit = r.exit || effect.exit
	// guard: what programs and files say is a stranger's word
	if tool, known := r.tools.Lookup(result.Name); known && tool.Untrusted() && itsOwn(result.Status) {
		effect.tainted = cmp.Or(effect.tainted, result.Name)
	}
	r.tainted = cmp.Or(r.tainted, effect.tainted)
	if effect.dir != "" {
		r.conversation.Dir, r.moved = effect.dir, true
		c.Send(r.brief.session, dirChanged{path: effect.dir, chosen: effect.chosen})
		if effect.chosen {
			r.conversation.Root = effect.dir
		}
	}
	r.wanted = r.wanted || effect.compact
	if effect.spent.Turns > 0 {
		r.usage = r.usage.Plus(effect.spent)
		c.Send(r.brief.session, messages.UsageChanged{Usage: r.usage, Context: r.context})
	}
	if effect.profile != "" {
		r.conversation.Profile, r.moved = effect.profile, true
		c.Send(r.brief.session, profileChanged{name: effect.profile})
	}
	if effect.plan != nil {
		r.plan = *effect.plan
		c.Send(r.brief.session, r.plan)
	}
	r.touch(effect.origin.Places)
	r.found = append(r.found, r.lookup(effect.offer)...)
	if slices.ContainsFunc(r.results, func(result messages.ToolResult) bool { return result.Call == "" }) {
		return
	}
	r.settled(c)
}

// itsOwn says whether a tool ran, so that its result is its own: an error page is a stranger's
// as well, and what a command printed until its time was up; that a person said no is not.
func itsOwn(status messages.Status) bool {
	return status != messages.Denied && status != messages.Forbidden
}

// settled closes a round that is whole.
func (r *router) settled(c actor.Context) {
	if r.before {
		r.prepended(c)
		return
	}
	verdict := r.guard.Round(r.calls, r.results, r.config.Now().Sub(r.begun))
	if last := len(r.results) - 1; verdict.Warn != "" {
		r.results[last].Text += "\n\n" + verdict.Warn
	}
	for i, result := range r.results {
		r.results[i].Text = cmp.Or(budget.Again(r.turn.Messages(), result), result.Text)
	}
	if r.weight.verdict == budget.Warn {
		warning := r.limits().Warning(r.weight.tokens)
		for i := range r.results {
			r.results[i].Text += warning
		}
	}
	r.turn.AddRound(r.calling(r.inFront, r.calls), r.told(r.results, r.origins)) // guard: what is kept says where it is from
	switch {
	case r.cancel:
		r.end(c, r.cancelled(), r.limit)
	case verdict.Stop != "":
		r.end(c, messages.Incomplete, verdict.Stop)
	default:
		r.next(c)
	}
}

// prepended puts what the parts of a prompt gave in front of it. It is no round of the
// model's: not every provider takes calls that its model did not make.
func (r *router) prepended(c actor.Context) {
	var text strings.Builder
	text.WriteString("What the prompt below refers to:")
	for i, result := range r.results {
		fmt.Fprintf(&text, "\n\n── %s %s\n%s", r.calls[i].Name, r.calls[i].Args, strings.TrimRight(result.Text, "\n"))
	}
	r.before, r.calls, r.results = false, nil, nil
	r.turn.AddNews(r.words(messages.FromFile, text.String()), false)
	if r.cancel {
		r.end(c, r.cancelled(), r.limit)
		return
	}
	r.moved = true // the files that they were about may have instructions, and the rest is read anew
	r.next(c)
}

// next prepares what the round changed, and asks again.
func (r *router) next(c actor.Context) {
	switch {
	case len(r.found) > 0 || r.moved:
	case r.waiting:
		r.hear(c)
		return
	default:
		r.remind()
		r.ask(c)
		return
	}
	r.phase, r.filesReady, r.toolsReady = preparing, !r.moved, len(r.found) == 0
	if r.moved {
		r.prepare(c)
	}
	if len(r.found) > 0 {
		found, window := r.found, r.window
		r.describe(c, func() ([]tools.Tool, int) { return found, window })
	}
	r.found, r.moved = nil, false
}

func (r *router) lookup(names []string) []tools.Tool {
	var found []tools.Tool
	for _, name := range names {
		tool, err := r.tools.Find(name, r.mode)
		if err != nil { // it came while it was looked for
			r.tools = r.config.Tools.Now()
			tool, err = r.tools.Find(name, r.mode)
		}
		if err == nil {
			found = append(found, tool)
		}
	}
	return found
}

// workerGone supplies the result of a worker that ended without a report.
func (r *router) workerGone(c actor.Context, obituary task.Gone) {
	position, ok := r.workers[obituary.Who.Id]
	delete(r.workers, obituary.Who.Id)
	if !ok || r.phase != running || r.results[position].Call != "" {
		return
	}
	call := r.calls[position]
	status, text := messages.Crashed, "Error: the tool crashed inside Marvin; its effect is unknown. Try another way."
	if r.cancel {
		status, text = messages.Interrupted, "Error: interrupted by the user; it did not stop in time and its effect is unknown."
	}
	c.Send(r.brief.session, messages.ToolEnded{Call: call.ID, Name: call.Name, Status: status, Summary: text, Text: text})
	r.settle(c, position, messages.ToolResult{Call: call.ID, Name: call.Name, Text: text, Status: status}, effect{})
}

// HandleFailure ends a worker whose actor failed; its obituary becomes the result.
func (r *router) HandleFailure(system *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, stats *actor.RestartStatistics, reason, message any) {
	supervisor.StopChildren(child)
}
