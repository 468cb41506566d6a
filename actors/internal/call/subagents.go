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
	"marvin/messages/lists"
	"marvin/tools"
)

// A sub-agent is a session and a child actor of the call's worker. The worker is the session's
// front end: it sends ops and receives events as mail.

// These messages to a worker concern the worker's sub-agents.
type (
	// launch asks for sub-agents. The call's goroutine sends this message
	// and waits for the reports.
	launch struct {
		tasks    []tools.Task
		parallel int
		reports  chan<- []tools.Report
	}
	cancelAll struct{}
	// graceExpired says that the grace period of the canceled sub-agents is over.
	graceExpired struct{}
	// slotAcquired says that one more sub-agent may begin.
	slotAcquired struct {
		leave   func()
		err     error
		choice  conv.Choice // the model named in the sub-agent's task
		unknown error       // the reason why this model cannot be used
	}
	agentSaid struct {
		position int
		event    messages.Event
		words    string // streamed text since the previous message
	}
)

// subAgents are the sub-agents of a call. The value is nil while the call has none.
type subAgents struct {
	Services
	Situation // only the approval mode can change
	launch
	call      string          // the id of the call
	name      string          // unique among the calls of all processes
	life      context.Context // context of the sub-agents; canceling this context releases all slots
	stop      context.CancelFunc
	agents    []*agent // indexed like tasks; an element is nil before its task begins
	begun     int
	ended     int
	acquiring bool
	cancelled bool
	positions map[string]int      // the position of each sub-agent, by the id of its actor
	asks      map[string]question // open questions, by their ids in the session
	overheard []string            // private directories that the sub-agents might have read
}

// question identifies an open question of a sub-agent.
type question struct {
	member *agent
	ask    string
}

type agent struct {
	number  int // from 1
	task    tools.Task
	pid     *actor.PID
	session SubSession
	leave   func() // gives the slot back
	begun   time.Time
	state   messages.AgentState
	doing   string
	heard   string           // the tool that brought untrusted text
	limit   time.Duration    // the time limit; waiting for the user does not count
	paused  task.PausedClock // the time spent waiting for the user's answers
	late    bool             // the sub-agent used up its time
	report  tools.Report
	told    talkTail           // what the user is shown
	along   followed           // how much of the conversation the user has seen
	stopped bool               // the user stopped only this sub-agent
	stop    context.CancelFunc // stops a sub-agent that runs outside this process
	purse   float64            // the cost limit of an external program; 0 for none
	dear    bool               // the cost reached the limit
	shown   string             // for external programs, the last tool call shown to the user
}

// launcher returns a function that starts sub-agents and waits for their reports. The returned
// function runs on the goroutine of the tool call.
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
			return <-reports // subAgents.dismiss limits this wait
		}
	}
}

// newSubAgents prepares the sub-agents that a call requested. It does not start them.
func newSubAgents(services Services, situation Situation, call string, wish launch) *subAgents {
	s := &subAgents{
		Services: services, Situation: situation, launch: wish, call: call,
		name: strings.ToLower(rand.Text()[:16]), agents: make([]*agent, len(wish.tasks)),
		positions: map[string]int{}, asks: map[string]question{},
	}
	s.life, s.stop = context.WithCancel(cmp.Or(situation.Conversation.AgentContext, context.Background()))
	return s
}

func (s *subAgents) receive(c actor.Context, message any) {
	switch message := message.(type) {
	case slotAcquired:
		s.seated(c, message)
	case QuestionRaised:
		s.raise(c, message)
	case QuestionRetracted:
		s.withdrawQuestion(c, s.agents[s.positions[message.Member.Id]], message.Ask)
	case agentSaid:
		s.memberSaid(c, message)
	case remoteProgress:
		s.awaySaid(c, message)
	case remoteEnded:
		s.awayEnded(c, message)
	case task.ChildGone:
		s.memberGone(c, message)
	case agentExpired:
		s.stopExpired(c, message.position)
	case agentOverdue:
		s.overdue(c, message.position)
	case cancelAll:
		s.dismiss(c)
	case graceExpired:
		s.finish()
	}
}

// begin lets the first sub-agents start.
func (s *subAgents) begin(c actor.Context) {
	if limit := s.Pools.agentLimit; min(len(s.tasks), s.parallel) > limit {
		c.Send(c.Parent(), outputOf(s.call, fmt.Sprintf("only %d sub-agents run at once, because this process may open only %d files (ulimit -n); the others wait", limit, s.Pools.fileLimit)))
	}
	s.acquireSlot(c)
}

// acquireSlot starts a task that acquires a slot for another sub-agent. After the last sub-agent
// has ended, acquireSlot sends all reports to the goroutine of the call.
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
			context.AfterFunc(life, leave) // releases the slot even if the worker has stopped
			message := slotAcquired{leave: leave}
			if provider != "" {
				// chooseModel can be slow, because a command may supply the key.
				message.choice, message.unknown = chooseModel(choose, provider)
			}
			return message
		}, func(panicked *task.Panicked) any { return slotAcquired{err: panicked} })
	}
}

// chooseModel resolves the name of a model. A panic becomes an error, so that only this sub-agent
// fails.
func chooseModel(choose func(string) (conv.Choice, error), name string) (choice conv.Choice, err error) {
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

// join creates and starts the next sub-agent in this process, on the fleet, or as an external
// program.
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
		s.completeReport(c, one)
		return
	}
	root, caller := c.ActorSystem().Root, c.Self()
	one.along.words = &mailAudience{send: func(event messages.Event, words string) {
		root.Send(caller, agentSaid{position: position, event: event, words: words})
	}}
	var produce func() actor.Actor
	conversation.Name = fmt.Sprintf("%s.%d", s.call, one.number)
	one.session, produce = s.OpenSession(SubWish{
		Conversation: conversation, Listener: one.along.words,
		Tainted: cmp.Or(s.Tainted, one.task.Brought), Known: s.Known, Seen: s.Seen.ForSubAgent(),
	})
	one.pid, err = c.SpawnNamed(kernel.Props(s.Config.Log, produce), fmt.Sprintf("session-%d", one.number))
	if err != nil {
		panic(err)
	}
	s.positions[one.pid.Id] = position
	s.tellOf(c, one)
	c.Send(one.pid, messages.Prompt{Text: one.task.Prompt})
}

// sub returns the conversation of a sub-agent. The sub-agent never has more permissions than its
// caller.
func (s *subAgents) sub(wish tools.Task, slot slotAcquired) (conv.LiveConversation, error) {
	conversation := s.Conversation
	conversation.AgentContext = s.life
	conversation.Hooks = conversation.Hooks.Calls()
	conversation.Stored = nil // a sub-agent has no log; the caller's log contains the sub-agent's report
	conversation.Caller = conv.Caller{Session: s.Session, Name: tools.Visible(wish.Name)}
	policy := &conversation.Policy
	policy.Persist, policy.Agent = false, true
	if wish.ReadOnly {
		policy.SetReadOnly("this sub-agent must not change anything (read_only)")
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
			return conv.LiveConversation{}, slot.unknown
		}
		conversation.Choice = slot.choice
	}
	if named, ok := s.Config.FindModel(wish.Model); ok {
		conversation.Choice = named
	} else if wish.Model != "" {
		conversation.Choice.Model = wish.Model
	}
	choice := conversation.Choice
	if _, priced := s.Config.Models.Price.Lookup(choice.Provider, choice.Model); !priced && policy.Limits.Cost > 0 && choice != s.Conversation.Choice {
		return conv.LiveConversation{}, fmt.Errorf("the price of %s is unknown, so the cost limit of $%g cannot be enforced; set the price under \"prices:\" in config.yaml, or do not use this model", choice.Model, policy.Limits.Cost)
	}
	return conversation, nil
}

// intersection returns the elements that are in both lists. A nil list contains everything.
func intersection(have, want []string) []string {
	switch {
	case have == nil:
		return want
	case want == nil:
		return have
	}
	both := []string{} // not nil, because a nil list contains everything
	return append(both, lists.Filter(want, func(name string) bool { return slices.Contains(have, name) })...)
}
