package call

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

	"marvin/actors/internal/conv"
	"marvin/actors/internal/kernel"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/tools"
)

// Sub-agents are sessions under the worker of the call that wants them. To such a
// session the worker is what a front end is to the main one: it sends ops, and the
// events come to it as mail.

// Messages to a worker with sub-agents.
type (
	// launch comes from the goroutine of the call, which waits for the reports.
	launch struct {
		tasks    []tools.Task
		parallel int
		reports  chan<- []tools.Report
	}
	// cancelAll ends all of them politely.
	cancelAll struct{}
	// graceExpired says that the dismissed had their time to leave.
	graceExpired struct{}
	// slotAcquired says that one more may begin.
	slotAcquired struct {
		leave   func()
		err     error
		choice  conv.Choice // who the provider that its task names is
		unknown error       // why it cannot be asked
	}
	agentSaid struct {
		position int
		event    messages.Event
		words    string // that streamed by since the words or the event before
	}
)

// subAgents are the sub-agents of a call. They are nil as long as it has none.
type subAgents struct {
	Services
	Situation // of the call; what it may be asked to run unasked can change
	launch
	call      string          // whose they are
	name      string          // the same for no other call of any process
	life      context.Context // while it lasts, the members have their slots
	stop      context.CancelFunc
	agents    []*agent // in the order of the tasks; those behind begun are nil
	begun     int
	ended     int
	acquiring bool
	cancelled bool
	positions map[string]int      // by process id
	asks      map[string]question // by the name under which they went up
	overheard []string            // directories that are bound and were read by one of them
}

// question is one of a member, on its way up.
type question struct {
	member *agent
	ask    string
}

// agent is one sub-agent.
type agent struct {
	number  int // from 1
	task    tools.Task
	pid     *actor.PID
	session SubSession
	leave   func() // gives its slot back
	begun   time.Time
	state   messages.AgentState
	doing   string
	heard   string           // the tool by which it brought in words of strangers
	limit   time.Duration    // until it is stopped; the time in which it asks the user is extra
	paused  task.PausedClock // the time in which it asked the user
	late    bool             // it used its time up
	report  tools.Report
	told    account            // what a person is shown
	along   along              // whether the user follows it
	stopped bool               // by a person, alone
	stop    context.CancelFunc // of one that is elsewhere, or a program of others
	purse   float64            // what a program of others may cost; 0 for any
	dear    bool               // its cost reached that
	shown   string             // the call of such a program that was shown last
}

// launcher is what [tools.Env] offers to the goroutine of a call.
func launcher(c actor.Context) func(context.Context, int, []tools.Task) []tools.Report {
	self, root := c.Self(), c.ActorSystem().Root
	return func(ctx context.Context, parallel int, tasks []tools.Task) []tools.Report {
		reports := make(chan []tools.Report, 1)
		root.Send(self, launch{tasks: tasks, parallel: max(1, parallel), reports: reports})
		select {
		case all := <-reports:
			return all
		case <-ctx.Done():
			root.Send(self, cancelAll{})
			return <-reports // comes in time: see dismiss
		}
	}
}

// newSubAgents are those that a call with such services wants, in its situation.
func newSubAgents(services Services, situation Situation, call string, wish launch) *subAgents {
	s := &subAgents{
		Services: services, Situation: situation, launch: wish, call: call,
		name: strings.ToLower(rand.Text()[:16]), agents: make([]*agent, len(wish.tasks)),
		positions: map[string]int{}, asks: map[string]question{},
	}
	s.life, s.stop = context.WithCancel(cmp.Or(situation.Conversation.Life, context.Background()))
	return s
}

// receive handles messages about sub-agents.
func (s *subAgents) receive(c actor.Context, message any) {
	switch message := message.(type) {
	case slotAcquired:
		s.seated(c, message)
	case QuestionRaised:
		s.raise(c, message)
	case QuestionRetracted:
		s.lower(c, s.agents[s.positions[message.Member.Id]], message.Ask)
	case agentSaid:
		s.memberSaid(c, message)
	case remoteProgress:
		s.awaySaid(c, message)
	case remoteEnded:
		s.awayEnded(c, message)
	case task.ChildGone:
		s.memberGone(c, message)
	case agentExpired:
		s.expired(c, message.position)
	case agentOverdue:
		s.overdue(c, message.position)
	case cancelAll:
		s.dismiss(c)
	case graceExpired:
		s.finish()
	}
}

// begin seats the first of them.
func (s *subAgents) begin(c actor.Context) {
	if limit := s.Pools.agentLimit; min(len(s.tasks), s.parallel) > limit {
		c.Send(c.Parent(), outputOf(s.call, fmt.Sprintf("%d sub-agents run at once, because this process may open only %d files (ulimit -n); the others wait", limit, s.Pools.fileLimit)))
	}
	s.acquireSlot(c)
}

// acquireSlot waits for a slot for the next sub-agent, beside the actor. With the last
// report in, the call gets them all.
func (s *subAgents) acquireSlot(c actor.Context) {
	switch {
	case s.ended == len(s.tasks):
		s.finish()
	case s.acquiring || s.cancelled || s.begun == len(s.tasks) || s.begun-s.ended >= s.parallel:
	default:
		s.acquiring = true
		slots, life, provider, choose := s.Pools.agents, s.life, s.tasks[s.begun].Provider, s.Config.Models.Choose
		task.Do(c, func() any {
			if err := slots.Acquire(life, 1); err != nil {
				return slotAcquired{err: err}
			}
			leave := sync.OnceFunc(func() { slots.Release(1) })
			context.AfterFunc(life, leave) // also when no caller waits any more
			message := slotAcquired{leave: leave}
			if provider != "" {
				message.choice, message.unknown = chosen(choose, provider) // which may wait for a key
			}
			return message
		}, func(panicked *task.Panicked) any { return slotAcquired{err: panicked} })
	}
}

// chosen is who a name means. A panic is an error of this one sub-agent: its slot is given back,
// and it is not tried again.
func chosen(choose func(string) (conv.Choice, error), name string) (choice conv.Choice, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("find the model %q: internal error: %v (a fault in Marvin)", name, reason)
		}
	}()
	return choose(name)
}

func (s *subAgents) seated(c actor.Context, message slotAcquired) {
	s.acquiring = false
	switch {
	case message.err != nil, s.cancelled:
	default:
		s.join(c, message)
	}
	s.acquireSlot(c)
}

// join begins the next sub-agent: a session with one prompt.
func (s *subAgents) join(c actor.Context, slot slotAcquired) {
	position := s.begun
	s.begun++
	one := &agent{number: position + 1, task: s.tasks[position], leave: slot.leave, begun: s.Config.Now(), state: messages.AgentWorking}
	s.agents[position] = one
	s.clock(c, position, one)
	switch {
	case one.task.Fleet:
		s.dispatchRemote(c, position, one)
		return
	case one.task.Program != nil:
		s.hire(c, position, one)
		return
	}
	conversation, err := s.sub(one.task, slot)
	if err != nil {
		one.report = tools.Report{Outcome: messages.Failed, Err: err.Error()}
		s.left(c, one)
		return
	}
	root, caller := c.ActorSystem().Root, c.Self()
	one.along.words = &mailed{send: func(event messages.Event, words string) {
		root.Send(caller, agentSaid{position: position, event: event, words: words})
	}}
	var produce func() actor.Actor
	conversation.Name = fmt.Sprintf("%s.%d", s.call, one.number)
	one.session, produce = s.OpenSession(SubWish{
		Conversation: conversation, Listener: one.along.words,
		Tainted: cmp.Or(s.Tainted, one.task.Brought), Known: s.Known, Seen: s.Seen.Under(),
	})
	one.pid, err = c.SpawnNamed(kernel.Props(s.Config.Log, produce), fmt.Sprintf("session-%d", one.number))
	if err != nil {
		panic(err)
	}
	s.positions[one.pid.Id] = position
	s.tellOf(c, one)
	c.Send(one.pid, messages.Prompt{Text: one.task.Prompt})
}

// sub is the conversation of a sub-agent: never more than the one of its caller.
func (s *subAgents) sub(wish tools.Task, slot slotAcquired) (conv.Running, error) {
	conversation := s.Conversation
	conversation.Life = s.life
	conversation.Hooks = conversation.Hooks.Calls()
	conversation.Kept = nil // its report is what the caller's log has
	conversation.Caller = conv.Caller{Session: s.Session, Name: tools.Visible(wish.Name)}
	policy := &conversation.Policy
	policy.Persist, policy.Agent = false, true
	if wish.ReadOnly {
		policy.OnlyReads("this sub-agent changes nothing (read_only)")
	}
	policy.Only = intersection(policy.Only, wish.Tools)
	if wish.Rounds > 0 && wish.Rounds < policy.MaxRounds() {
		policy.Limits.Rounds = wish.Rounds
	}
	if wish.Dir != "" {
		conversation.Dir = wish.Dir
	}
	if wish.Own {
		conversation.Root = wish.Dir
	}
	if wish.Provider != "" {
		if slot.unknown != nil {
			return conv.Running{}, slot.unknown
		}
		conversation.Choice = slot.choice
	}
	if named, ok := s.Config.Named(wish.Model); ok {
		conversation.Choice = named
	} else if wish.Model != "" {
		conversation.Choice.Model = wish.Model
	}
	choice := conversation.Choice
	if _, priced := s.Config.Models.Price.Lookup(choice.Provider, choice.Model); !priced && policy.Limits.Cost > 0 && choice != s.Conversation.Choice {
		return conv.Running{}, fmt.Errorf("the price of %s is unknown, so the cost limit of $%g cannot be enforced; set the price under prices: in config.yaml, or leave the model out", choice.Model, policy.Limits.Cost)
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
