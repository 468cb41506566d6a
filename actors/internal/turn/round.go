package turn

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/budget"
	"marvin/actors/internal/call"
	"marvin/actors/internal/callorder"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/kernel"
	"marvin/actors/internal/loop"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/messages/lists"
	"marvin/tools"
)

// In a round of tool calls, each call has a worker. The round is complete when the last result has
// arrived.

// round executes the tool calls from an answer or from the prompt.
type round struct {
	*turnState
	open    call.OpenSession // starts sub-agents
	calls   []messages.ToolCall
	results []messages.ToolResult
	workers map[string]int   // maps the process id of each running worker to the index of its call
	answer  messages.Message // the model's message before the calls; empty for calls in the prompt
	origins []messages.Origin
	begun   time.Time // when the round began
	guard   loop.Guard
	found   []tools.Tool // new tools to offer before the next request
	moved   bool         // files must be read again before the next request
	touched []string     // absolute paths that the turn's calls used
	opened  bool         // the prompt's calls have been started
	before  bool         // the round's calls come from the prompt, not from an answer
}

// hasOpeningCalls reports whether the next step is to run the prompt's calls.
func (r *round) hasOpeningCalls() bool {
	return r.input.Parts != nil && len(r.input.Parts.Calls) > 0 && !r.opened
}

func (r *round) openPrompt(c actor.Context) {
	r.opened, r.before = true, true
	r.begin(c, messages.Message{}, r.input.Parts.Calls)
}

func (r *round) begin(c actor.Context, answer messages.Message, calls []messages.ToolCall) {
	r.begun = r.Config.Now()
	r.answer, r.calls = answer, r.turn.Name(calls)
	r.results, r.origins = make([]messages.ToolResult, len(r.calls)), make([]messages.Origin, len(r.calls))
	clear(r.workers) // so that workerGone ignores workers of earlier rounds
	names, ids := make([]string, len(r.calls)), make([]string, len(r.calls))
	for i, call := range r.calls {
		names[i], ids[i] = call.Name, call.ID
	}
	r.tell(c, messages.ToolsCalled{Names: names, Calls: ids})
	r.count(c, r.countedNames(names))
	room, inLine := r.room(len(r.calls)), &callorder.Order{}
	mode, conversation := r.modeAndConversation()
	for i, wish := range r.calls {
		worker := call.New(call.Services{Config: r.Config, Pools: r.Pools, Servers: r.Servers, Recorder: r.Recorder, Session: r.input.Session, Jobs: r.Jobs, OpenSession: r.open}, call.Situation{
			Tools: r.tools, Mode: mode, Conversation: conversation, Usage: r.usage, History: r.input.History,
			Seen: r.input.Seen, Tainted: r.tainted, Personal: r.personal, Known: r.input.Known, Typed: r.input.Typed, Message: r.message(), Room: room, Ends: r.ends,
		}, wish, call.Place{Position: i, Of: len(r.calls), Line: inLine})
		// The workers start one after the other, so that questions reach the user in the order of
		// the calls.
		pid, err := c.SpawnNamed(kernel.Synchronous(kernel.Props(r.Config.Log, func() actor.Actor { return worker })), fmt.Sprintf("call-%d-%d", r.number, i))
		if err != nil {
			panic(err)
		}
		r.workers[pid.Id] = i
	}
}

// modeAndConversation returns the mode and conversation for the round's calls. For calls in the
// user's prompt, coding mode is on, and an empty Dir or Root gets a default.
func (r *round) modeAndConversation() (tools.Mode, conv.LiveConversation) {
	mode, conversation := r.mode, r.conversation
	if r.before {
		mode.Coding = true
		conversation.Dir = cmp.Or(conversation.Dir, r.Config.Dir)
		conversation.Root = cmp.Or(conversation.Root, conversation.Dir)
	}
	return mode, conversation
}

// countedNames applies [call.CountedName] to each name.
func (r *round) countedNames(names []string) []string {
	return lists.Map(names, func(name string) string { return call.CountedName(r.tools, r.mode, name) })
}

func (r *round) count(c actor.Context, names []string) {
	counts := maps.Clone(r.usage.ToolCalls)
	for _, name := range names {
		counts[name]++
	}
	r.usage.ToolCalls = counts
	r.tellUsage(c)
}

func (r *round) callEnded(c actor.Context, message call.CallReport) step {
	if r.phase != running || r.results[message.Position].Call != "" {
		return step{}
	}
	r.tell(c, message.Event)
	return r.settle(c, message.Position, message.Result, message.Effect)
}

// settle adds a call's result to the round and applies the call's effects. The last result
// completes the round.
func (r *round) settle(c actor.Context, position int, result messages.ToolResult, effect call.Effect) step {
	r.results[position], r.origins[position] = result, effect.Origin
	r.exit = r.exit || effect.Exit
	if tool, known := r.tools.Lookup(result.Name); known && tool.Untrusted() && call.ToolRan(result.Status) && !effect.Own {
		effect.Tainted = cmp.Or(effect.Tainted, result.Name)
	}
	r.tainted = cmp.Or(r.tainted, effect.Tainted)
	r.change(c, effect)
	r.touch(effect.Origin.Places)
	for _, name := range effect.Offer {
		if tool, known := r.tools.Lookup(name); known && tool.OutsiderDoc() {
			r.tainted = cmp.Or(r.tainted, "the description of "+name)
		}
	}
	r.found = append(r.found, r.lookup(effect.Offer)...)
	if slices.ContainsFunc(r.results, func(result messages.ToolResult) bool { return result.Call == "" }) {
		return step{}
	}
	return r.finishRound()
}

func (r *round) change(c actor.Context, effect call.Effect) {
	if effect.Dir != "" {
		r.conversation.Dir, r.moved = effect.Dir, true
		c.Send(r.input.Session, mail.DirChanged{Path: effect.Dir, Chosen: effect.Chosen})
		if effect.Chosen {
			r.conversation.Root = effect.Dir
		}
	}
	r.wanted = r.wanted || effect.Compact
	if effect.Spent.Turns > 0 || effect.Spent.Cost > 0 { // an external agent can report a cost without turns
		r.usage = r.usage.Plus(effect.Spent)
		r.tellUsage(c)
	}
	if effect.Profile != "" {
		r.conversation.Profile, r.moved = effect.Profile, true
		c.Send(r.input.Session, mail.ProfileChanged{Name: effect.Profile})
	}
	if effect.Plan != nil {
		r.plan = *effect.Plan
		c.Send(r.input.Session, r.plan)
	}
}

// touch adds each new path to r.touched. Marvin then looks for instructions and rules that apply to
// the path. The model receives the instructions and rules after the results.
func (r *round) touch(paths []string) {
	if !r.mode.Coding {
		return
	}
	for _, path := range paths {
		if path != r.conversation.Dir && !slices.Contains(r.touched, path) {
			r.touched, r.moved = append(r.touched, path), true
		}
	}
}

// takeFound returns r.found and r.moved, and clears both.
func (r *round) takeFound() (found []tools.Tool, moved bool) {
	found, moved = r.found, r.moved
	r.found, r.moved = nil, false
	return found, moved
}

func (r *round) finishRound() step {
	if r.before {
		return r.prependResults()
	}
	verdict := r.guard.Round(r.calls, r.results, r.Config.Now().Sub(r.begun))
	if last := len(r.results) - 1; verdict.Warn != "" {
		r.results[last].Text += "\n\n" + verdict.Warn
	}
	for i, result := range r.results {
		r.results[i].Text = cmp.Or(budget.EarlierEqual(r.turn.Messages(), result), result.Text)
	}
	if r.weight.verdict == budget.Warn {
		warning := r.limits().Warning(r.weight.tokens)
		for i := range r.results {
			r.results[i].Text += warning
		}
	}
	r.answer.Calls = r.calls
	r.turn.AddRound(r.answer, r.resultMessages(r.results, r.origins))
	r.erase(true)
	switch {
	case r.cancel:
		return ending(r.cancelled(), r.limit)
	case verdict.Stop != "":
		return ending(messages.Incomplete, verdict.Stop)
	}
	return step{to: continues}
}

// prependResults puts the results of the prompt's calls, as text, before the prompt. The results
// are not added as a round of calls, because some providers refuse calls that their model did not
// make.
func (r *round) prependResults() step {
	var text strings.Builder
	text.WriteString("Files and outputs that the prompt below mentions:")
	for i, result := range r.results {
		fmt.Fprintf(&text, "\n\n── %s %s\n%s", r.calls[i].Name, r.calls[i].Args, strings.TrimRight(result.Text, "\n"))
	}
	r.before, r.calls, r.results = false, nil, nil
	r.turn.AddNews(r.messageFrom(messages.FromFile, text.String()), false)
	if r.cancel {
		return ending(r.cancelled(), r.limit)
	}
	r.moved = true // the directories of the prompt's files can contain instructions
	return step{to: continues}
}

// lookup returns the tools with the given names, including tools that were added after the turn
// began.
func (r *round) lookup(names []string) []tools.Tool {
	var found []tools.Tool
	for _, name := range names {
		tool, err := r.tools.Find(name, r.mode)
		if err != nil {
			r.tools = r.Config.Tools.Snapshot()
			tool, err = r.tools.Find(name, r.mode)
		}
		if err == nil {
			found = append(found, tool)
		}
	}
	return found
}

// workerGone handles the end of a worker. A call without a result gets an error as its result.
func (r *round) workerGone(c actor.Context, obituary task.ChildGone) step {
	position, ok := r.workers[obituary.Who.Id]
	delete(r.workers, obituary.Who.Id)
	if !ok || r.phase != running || r.results[position].Call != "" {
		return step{}
	}
	asked := r.calls[position]
	status, text := messages.Crashed, "Error: the tool crashed inside Marvin; its effect is unknown. Try another way."
	if r.cancel {
		status, text = messages.Interrupted, "Error: interrupted by the user; the call did not stop in time, and its effect is unknown."
	}
	r.tell(c, messages.ToolEnded{Call: asked.ID, Name: asked.Name, Status: status, Summary: text, Text: text})
	return r.settle(c, position, messages.ToolResult{Call: asked.ID, Name: asked.Name, Text: text, Status: status}, call.Effect{})
}

func (r *round) visit(c actor.Context, wish messages.VisitAgent) {
	for _, child := range c.Children() {
		if position, lives := r.workers[child.Id]; r.phase == running && lives && r.calls[position].ID == wish.Call {
			c.Send(child, wish)
			return
		}
	}
	if !wish.More {
		r.note(c, messages.Warning, call.NoSuchAgent)
	}
}

// sendAway sends the call wish.Call to the background. If wish.Call is "", it sends every call that
// can move there.
func (r *round) sendAway(c actor.Context, wish messages.Background) {
	found := false
	for i, call := range r.calls {
		tool, err := r.tools.Find(call.Name, r.mode)
		if r.phase != running || err != nil || !tool.Leaves || wish.Call != "" && wish.Call != call.ID {
			continue
		}
		for _, child := range c.Children() {
			if position, lives := r.workers[child.Id]; lives && position == i {
				found = true
				c.Send(child, wish)
			}
		}
	}
	if !found {
		r.note(c, messages.Warning, "No running command can move to the background; Esc ends the running call.")
	}
}
