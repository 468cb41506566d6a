package actors

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
)

// Sub-agents are sessions under the worker of the call that wants them. To such a
// session the worker is what a front end is to the main one: it sends ops, and the
// events come to it as mail.

// What a worker with sub-agents is told.
type (
	// launch comes from the goroutine of the call, which waits for the reports.
	launch struct {
		tasks    []tools.Task
		parallel int
		reports  chan<- []tools.Report
	}
	// dismiss ends all of them politely.
	dismiss struct{}
	// overstayed says that the dismissed had their time to leave.
	overstayed struct{}
	// seated says that one more may begin.
	seated struct {
		leave   func()
		err     error
		choice  Choice // who the provider that its task names is
		unknown error  // why it cannot be asked
	}
	memberSaid struct {
		position int
		event    messages.Event
	}
)

// subAgents are the sub-agents of a call.
type subAgents struct {
	launch
	name      string          // the same for no other call of any process
	life      context.Context // while it lasts, the members have their slots
	stop      context.CancelFunc
	members   []*member // in the order of the tasks; those behind begun are nil
	begun     int
	ended     int
	seating   bool
	dismissed bool
	positions map[string]int      // by process id
	asks      map[string]question // by the name under which they went up
}

// question is one of a member, on its way up.
type question struct {
	member *member
	ask    string
}

// member is one sub-agent.
type member struct {
	number  int // from 1
	task    tools.Task
	pid     *actor.PID
	session *sessionState
	leave   func() // gives its slot back
	begun   time.Time
	state   messages.AgentState
	doing   string
	heard   string // the tool by which it brought in words of strangers
	report  tools.Report
}

// agents is what [tools.Env] offers to the goroutine of a call.
func (w *worker) agents(c actor.Context) func(context.Context, int, []tools.Task) []tools.Report {
	self, root := c.Self(), c.ActorSystem().Root
	return func(ctx context.Context, parallel int, tasks []tools.Task) []tools.Report {
		reports := make(chan []tools.Report, 1)
		root.Send(self, launch{tasks: tasks, parallel: max(1, parallel), reports: reports})
		select {
		case all := <-reports:
			return all
		case <-ctx.Done():
			root.Send(self, dismiss{})
			return <-reports // comes in time: see dismiss
		}
	}
}

func (w *worker) launch(c actor.Context, message launch) {
	w.subAgents = &subAgents{
		name: strings.ToLower(rand.Text()[:16]), launch: message, members: make([]*member, len(message.tasks)),
		positions: map[string]int{}, asks: map[string]question{},
	}
	w.subAgents.life, w.subAgents.stop = context.WithCancel(cmp.Or(w.conversation.life, context.Background()))
	if limit := w.pools.agentLimit; min(len(message.tasks), message.parallel) > limit {
		w.progressed(c, progressed{line: fmt.Sprintf("%d sub-agents run at once, because this process may open only %d files (ulimit -n); the others wait", limit, w.pools.fileLimit)})
	}
	w.seat(c)
}

// seat waits for a slot for the next sub-agent, beside the actor. With the last
// report in, the call gets them all.
func (w *worker) seat(c actor.Context) {
	subAgents := w.subAgents
	switch {
	case subAgents.ended == len(subAgents.tasks):
		w.disband()
	case subAgents.seating || subAgents.dismissed || subAgents.begun == len(subAgents.tasks) || subAgents.begun-subAgents.ended >= subAgents.parallel:
	default:
		subAgents.seating = true
		slots, life, provider := w.pools.agents, subAgents.life, subAgents.tasks[subAgents.begun].Provider
		task.Do(c, func() any {
			if err := slots.Acquire(life, 1); err != nil {
				return seated{err: err}
			}
			leave := sync.OnceFunc(func() { slots.Release(1) })
			context.AfterFunc(life, leave) // also if nobody hears of it any more
			message := seated{leave: leave}
			if provider != "" {
				message.choice, message.unknown = w.config.Choose(provider) // which may wait for a key
			}
			return message
		}, func(panicked *task.Panicked) any { return seated{err: panicked} })
	}
}

func (w *worker) seated(c actor.Context, message seated) {
	w.subAgents.seating = false
	switch {
	case message.err != nil, w.subAgents.dismissed:
	default:
		w.join(c, message)
	}
	w.seat(c)
}

// join begins the next sub-agent: a session with one prompt.
func (w *worker) join(c actor.Context, seat seated) {
	subAgents := w.subAgents
	position := subAgents.begun
	subAgents.begun++
	one := &member{number: position + 1, task: subAgents.tasks[position], leave: seat.leave, begun: w.config.Now(), state: messages.AgentWorking}
	subAgents.members[position] = one
	if one.task.Fleet {
		sendOut(c, w, position, one)
		return
	}
	conversation, err := w.sub(one.task, seat)
	if err != nil {
		one.report = tools.Report{Outcome: messages.Failed, Err: err.Error()}
		w.left(c, one)
		return
	}
	one.session = newSessionState(fmt.Sprintf("%s.%d", w.call.ID, one.number), conversation, mailed{root: c.ActorSystem().Root, worker: c.Self(), position: position})
	// guard: the ticket of a sub-agent taints
	one.session.tainted, one.session.trail, one.session.seen = cmp.Or(w.tainted, one.task.Brought), w.trail, w.seen.Under()
	one.pid, err = c.SpawnNamed(props(w.config.Log, func() actor.Actor {
		return newSession(surroundings{config: w.config, pools: w.pools, recorder: w.recorder, jobs: w.jobs}, one.session)
	}), fmt.Sprintf("session-%d", one.number))
	if err != nil {
		panic(err)
	}
	subAgents.positions[one.pid.Id] = position
	w.tellOf(c, one)
	c.Send(one.pid, messages.Prompt{Text: one.task.Prompt})
}

// sub is the conversation of a sub-agent: never more than the one of its caller.
func (w *worker) sub(wish tools.Task, seat seated) (Conversation, error) {
	conversation := w.conversation
	conversation.life = w.subAgents.life
	conversation.hooks = conversation.hooks.Calls()
	conversation.Fresh, conversation.Kept = true, nil // its report is what the caller's log has
	policy := &conversation.Policy
	policy.Persist, policy.Seed, policy.Agent = false, false, true
	policy.ReadOnly = policy.ReadOnly || wish.ReadOnly
	policy.Only = intersection(policy.Only, wish.Tools)
	if wish.Rounds > 0 && wish.Rounds < policy.maxRounds() {
		policy.Limits.Rounds = wish.Rounds
	}
	if wish.Dir != "" {
		conversation.Dir = wish.Dir
	}
	if wish.Own {
		conversation.Root = wish.Dir
	}
	if wish.Provider != "" {
		if seat.unknown != nil {
			return Conversation{}, seat.unknown
		}
		conversation.Choice = seat.choice
	}
	if named, ok := w.config.named(wish.Model); ok {
		conversation.Choice = named
	} else if wish.Model != "" {
		conversation.Choice.Model = wish.Model
	}
	choice := conversation.Choice
	if _, priced := w.config.Price.Lookup(choice.Provider, choice.Model); !priced && policy.Limits.Cost > 0 && choice != w.conversation.Choice {
		return Conversation{}, fmt.Errorf("the price of %s is unknown, so the cost limit of $%g could not hold it; set it under prices: in config.yaml, or leave the model out", choice.Model, policy.Limits.Cost)
	}
	return conversation, nil
}

// intersection is what both lists have; nil is the list of everything.
func intersection(have, want []string) []string {
	switch {
	case have == nil:
		return want
	case want == nil:
		return have
	}
	both := []string{} // not nil, if they have nothing in common
	for _, name := range want {
		if slices.Contains(have, name) {
			both = append(both, name)
		}
	}
	return both
}
