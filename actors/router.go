package actors

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/prompt"
	"marvin/actors/internal/task"
	"marvin/actors/internal/transcript"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/dialect"
	"marvin/tools"
)

// What a router is told.
type (
	cancelTurn struct{}
	// providerLost says that the provider died without an answer.
	providerLost struct{ reason error }
	// callEnded is a worker's one report.
	callEnded struct {
		position int
		event    messages.ToolEnded
		result   messages.ToolResult
		effect   effect
	}
	// prepared comes from the goroutine that reads the user's and the project's files.
	prepared struct {
		system  string
		history []messages.Message
		notices []string
	}
	// patienceEnded says that cancelled calls had their time to report.
	patienceEnded struct{ round int }
)

// brief is all that a turn is told when it begins.
type brief struct {
	turn, prompt      string
	history           []messages.Message
	conversation      Conversation
	usage             messages.Usage
	seen              *tools.Stamps
	session, provider *actor.PID
}

// router is one turn: it asks the model, runs the calls, and asks again until there
// is an answer. It lives exactly as long as the work and is never restarted.
type router struct {
	config   *Config
	pools    *pools
	recorder *actor.PID
	brief    brief

	phase   phase
	turn    *transcript.Turn
	system  string
	offered []providers.ToolSpec // only grows: what find_tools found comes behind
	mode    tools.Mode
	round   int
	spoken  strings.Builder // the whole answer, of all rounds
	current strings.Builder // what the request under way has said so far
	reasked bool            // the model was told once to call tools properly
	exit    bool
	cancel  bool

	stopWaiting func() // for the profile and the project

	calls   []messages.ToolCall
	results []messages.ToolResult
	workers map[string]int // position of each living worker, by process id
	said    string         // words in front of the calls
}

type phase uint8

const (
	preparing phase = iota // until the system text is built
	asking
	running
	ending
)

func (r *router) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		r.start(c)
	case prepared:
		r.prepared(c, message)
	case part:
		r.part(c, message)
	case answered:
		r.answered(c, message)
	case messages.Event:
		c.Send(r.brief.session, message)
	case callEnded:
		r.callEnded(c, message)
	case cancelTurn:
		r.cancelTurn(c)
	case patienceEnded:
		r.patienceEnded(c, message)
	case providerLost:
		r.answered(c, answered{err: message.reason})
	case *actor.Terminated:
		task.Obituary(c, message)
	case task.Gone:
		r.workerGone(c, message)
	}
}

func (r *router) start(c actor.Context) {
	policy := r.brief.conversation.Policy
	r.mode = tools.Mode{Coding: policy.Coding, Person: policy.Person, ReadOnly: policy.ReadOnly}
	r.workers = map[string]int{}
	r.prepare(c)
}

// prepare reads what the system text is made of; it runs again when a tool moved
// the working directory.
func (r *router) prepare(c actor.Context) {
	r.phase = preparing
	conversation, seed := r.brief.conversation, r.turn == nil && len(r.brief.history) == 0
	r.stopWaiting = task.After(c, r.config.Tuning.Prepare, prepared{
		system:  prompt.Build(bare(r.config, conversation)),
		notices: []string{"reading the profile and the project's files took too long; going on without them"},
	})
	task.Do(c, func() any { return gather(r.config, conversation, r.mode, seed) }, func(panicked *task.Panicked) any {
		return prepared{system: prompt.Build(bare(r.config, conversation)), notices: []string{"the profile could not be read: " + panicked.Error()}}
	})
}

func (r *router) prepared(c actor.Context, message prepared) {
	if r.phase != preparing {
		return // a reading that came after its deadline
	}
	r.stopWaiting()
	for _, notice := range message.notices {
		c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: notice})
	}
	r.system = message.system
	if r.turn == nil {
		r.turn = transcript.New(append(message.history, r.brief.history...), r.brief.turn, r.brief.prompt)
		r.offer(c, r.config.Registry.Offer(r.mode))
	}
	if r.cancel {
		r.end(c, messages.Cancelled, "")
		return
	}
	r.ask(c)
}

// offer makes tools callable from the next request on. Specs are only appended, so
// that the prefix of a request stays what it was.
func (r *router) offer(c actor.Context, more []tools.Tool) {
	for _, tool := range more {
		if slices.ContainsFunc(r.offered, func(spec providers.ToolSpec) bool { return spec.Name == tool.Name }) {
			continue
		}
		schema, err := tool.Schema()
		if err != nil {
			c.Send(r.brief.session, messages.Notice{Level: messages.Problem, Text: err.Error()})
			continue
		}
		r.offered = append(r.offered, providers.ToolSpec{Name: tool.Name, Doc: tool.Doc, Schema: schema})
	}
}

// ask sends the conversation to the model: with tools, until the rounds are used up.
func (r *router) ask(c actor.Context) {
	r.phase = asking
	r.round++
	r.current.Reset()
	question := providers.Question{System: r.system, Messages: r.turn.Messages()}
	if r.round <= r.brief.conversation.Policy.maxRounds() {
		question.Tools = slices.Clip(r.offered)
	}
	c.Request(r.brief.provider, ask{question: question})
}

func (r *router) part(c actor.Context, message part) {
	if r.phase != asking {
		return
	}
	switch message.Kind {
	case providers.TextPart:
		r.say(c, message.Text)
	case providers.ThinkingPart:
		c.Send(r.brief.session, messages.Thinking{Chunk: message.Text})
	case providers.NoticePart:
		c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: message.Text})
	case providers.CallingPart:
		// a sign of life for the provider's clock; the call itself comes whole
	}
}

// say passes text on. A new round's first words begin a line of their own.
func (r *router) say(c actor.Context, chunk string) {
	if r.current.Len() == 0 && r.spoken.Len() > 0 && !strings.HasSuffix(r.spoken.String(), "\n") {
		r.spoken.WriteByte('\n')
	}
	r.current.WriteString(chunk)
	r.spoken.WriteString(chunk)
	c.Send(r.brief.session, messages.Text{Chunk: chunk})
}

// answered decides what follows an answer: calls, an end, or a second chance.
func (r *router) answered(c actor.Context, message answered) {
	if r.phase != asking {
		return
	}
	r.account(c, message)
	for _, notice := range message.reply.Notices {
		c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: notice})
	}
	text, calls := r.current.String(), message.reply.Calls
	switch {
	case r.cancel:
		r.end(c, messages.Cancelled, "")
	case message.err != nil && errors.Is(message.err, providers.ErrCut) && r.current.Len() > 0:
		r.end(c, messages.Incomplete, message.err.Error())
	case errors.Is(message.err, providers.ErrSilent):
		c.Send(r.brief.session, messages.Notice{Level: messages.Warning, Text: fmt.Sprintf("⚠️ Response timed out after %.0fs. Rebuilding session.", r.silence().Seconds())})
		r.end(c, messages.Failed, describe(message.err))
	case message.err != nil:
		r.end(c, messages.Failed, describe(message.err))
	case len(calls) > 0 && message.reply.Finish == providers.Length:
		r.refuseCut(c, text, calls)
	case len(calls) > 0:
		r.run(c, text, calls)
	case message.reply.Finish == providers.Length:
		r.end(c, messages.Incomplete, "the answer reached the model's output limit; ask it to go on")
	case message.reply.Finish == providers.Filtered:
		r.end(c, messages.Incomplete, "the provider's content filter ended the answer")
	case dialect.LooksLikeCall(text) && len(r.offered) > 0:
		r.reask(c, text)
	case text == "" && !r.exit:
		r.end(c, messages.Incomplete, "the model gave an empty answer; try again or choose another model")
	default:
		r.turn.AddAnswer(text)
		r.end(c, messages.Completed, "")
	}
}

func (r *router) silence() time.Duration {
	return r.config.Tuning.silence(r.brief.conversation.Policy)
}

// account adds a round trip to the session's sums, also one that failed after
// tokens were spent.
func (r *router) account(c actor.Context, message answered) {
	choice := r.brief.conversation.Choice
	if choice.Provider == providers.Offline {
		return // no model was asked
	}
	if message.err != nil && !message.reply.Usage.Known && message.reply.Text == "" {
		return // nothing was answered, so nothing is owed
	}
	sums, cost := r.config.spend(r.brief.usage, choice, message.reply.Usage)
	r.brief.usage = sums
	c.Send(r.brief.session, messages.UsageChanged{Usage: sums})
	c.Send(r.recorder, spent{choice: choice, usage: message.reply.Usage, cost: cost})
}

// reask gives a model that writes tool calls into its text one chance to do better.
func (r *router) reask(c actor.Context, text string) {
	if r.reasked {
		r.end(c, messages.Incomplete, fmt.Sprintf("%s writes tool calls as text that cannot be executed; choose a model that calls tools", r.brief.conversation.Choice.Model))
		return
	}
	r.reasked = true
	r.turn.AddAnswer(text)
	r.turn.AddRequest("Your last message looks like a tool call written as text, and nothing was executed. Call the tool through the tool interface, or answer in plain words.")
	r.ask(c)
}

// refuseCut answers calls whose arguments were cut off by the output limit: half a
// command is never run.
func (r *router) refuseCut(c actor.Context, text string, calls []messages.ToolCall) {
	calls = r.turn.Name(calls)
	results := make([]messages.ToolResult, len(calls))
	for i, call := range calls {
		results[i] = messages.ToolResult{Call: call.ID, Name: call.Name, Status: messages.ToolError,
			Text: "Error: your reply reached the output limit in the middle of this call, so it was not executed. Make smaller calls: write long files in pieces with create_file and append_file."}
	}
	r.turn.AddRound(text, calls, results)
	r.ask(c)
}

// run starts a worker for each call of a round.
func (r *router) run(c actor.Context, text string, calls []messages.ToolCall) {
	r.phase = running
	r.said, r.calls = text, r.turn.Name(calls)
	r.results = make([]messages.ToolResult, len(r.calls))
	names := make([]string, len(r.calls))
	for i, call := range r.calls {
		names[i] = call.Name
	}
	c.Send(r.brief.session, messages.ToolsCalled{Names: names})
	r.countCalls(c, names)
	for i, wish := range r.calls {
		call := worker{
			config: r.config, pools: r.pools, recorder: r.recorder, position: i, call: wish, mode: r.mode,
			session: r.brief.session, conversation: r.brief.conversation, usage: r.brief.usage, seen: r.brief.seen,
		}
		pid, err := c.SpawnNamed(props(r.config.Log, func() actor.Actor { return &call }), fmt.Sprintf("call-%d-%d", r.round, i))
		if err != nil {
			panic(err)
		}
		r.workers[pid.Id] = i
	}
}

func (r *router) countCalls(c actor.Context, names []string) {
	counts := maps.Clone(r.brief.usage.ToolCalls)
	for _, name := range names {
		counts[name]++
	}
	r.brief.usage.ToolCalls = counts
	c.Send(r.brief.session, messages.UsageChanged{Usage: r.brief.usage})
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
	r.results[position] = result
	r.exit = r.exit || effect.exit
	if effect.dir != "" {
		r.brief.conversation.Dir = effect.dir
		c.Send(r.brief.session, dirChanged{path: effect.dir})
	}
	r.offer(c, r.lookup(effect.offer))
	if slices.ContainsFunc(r.results, func(result messages.ToolResult) bool { return result.Call == "" }) {
		return
	}
	r.turn.AddRound(r.said, r.calls, r.results)
	switch {
	case r.cancel:
		r.end(c, messages.Cancelled, "")
	case effect.dir != "":
		r.prepare(c)
	default:
		r.ask(c)
	}
}

func (r *router) lookup(names []string) []tools.Tool {
	var found []tools.Tool
	for _, name := range names {
		if tool, err := r.config.Registry.Find(name, r.mode); err == nil {
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

// cancelTurn ends politely: the model's words and every call's result are kept.
func (r *router) cancelTurn(c actor.Context) {
	if r.cancel {
		return
	}
	r.cancel = true
	switch r.phase {
	case asking:
		c.Request(r.brief.provider, drop{})
	case running:
		for _, child := range c.Children() {
			c.Send(child, cancelCall{})
		}
		task.After(c, r.config.Tuning.CancelGrace, patienceEnded{round: r.round})
	}
}

// patienceEnded stops the workers that did not report; their obituaries settle them.
func (r *router) patienceEnded(c actor.Context, message patienceEnded) {
	if r.phase != running || message.round != r.round {
		return
	}
	for _, child := range c.Children() {
		c.Stop(child)
	}
}

// end reports once and leaves.
func (r *router) end(c actor.Context, outcome messages.Outcome, problem string) {
	r.phase = ending
	report := turnEnded{event: messages.TurnEnded{Outcome: outcome, Text: r.spoken.String(), Err: problem, Exit: r.exit}}
	if r.turn != nil {
		r.turn.Close(outcome, r.current.String())
		report.messages = r.turn.New()
	}
	c.Send(r.recorder, turnRecord{conversation: r.brief.conversation, prompt: r.brief.prompt, answer: report.event.Text})
	c.Send(r.brief.session, report)
	c.Stop(c.Self())
}

// describe is an error for people.
func describe(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, providers.ErrTooLong):
		return fmt.Sprintf("the conversation is too long for the model (%v); begin a new one, or send less at once", err)
	}
	return err.Error()
}
