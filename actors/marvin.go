package actors

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/alarms"
	"marvin/actors/internal/call"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/entrance"
	"marvin/actors/internal/jobs"
	"marvin/actors/internal/kernel"
	"marvin/actors/internal/lsp"
	"marvin/actors/internal/mcpservers"
	"marvin/actors/internal/ntfy"
	"marvin/actors/internal/recorder"
	"marvin/actors/internal/session"
	"marvin/actors/internal/task"
	"marvin/actors/internal/turn"
	"marvin/messages"
	"marvin/tools"
)

// Messages to marvin.
type (
	beginSession struct {
		conversation conv.Conversation
		feed         conv.Audience
	}
	shutdown struct{}
	// treeEnded answers shutdown.
	treeEnded struct{ left []tools.Job }
)

// marvin is the root actor. It owns the conversations and the recorder. At shutdown, marvin first
// ends the conversations, then ends the jobs that are tied to the process, and then flushes the
// recorder.
type marvin struct {
	config     *conv.Setup
	pools      *call.Pools
	recorder   *actor.PID
	ntfy       *actor.PID // nil until listen starts the actor
	alarmClock *actor.PID
	jobs       *actor.PID
	sessions   map[string]*session.State // by actor id; a restarted session keeps its state
	entrances  map[string]*actor.PID     // each session's entrance, by the session's process id
	opened     int
	closing    *actor.PID  // the caller that waits for treeEnded
	left       []tools.Job // jobs that will continue after Marvin exits
	languages  lsp.Running
	flushing   bool
	written    bool
}

func (m *marvin) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		m.start(c)
	case beginSession:
		m.open(c, message)
	case alarms.Fired:
		for id := range m.sessions {
			c.Send(actor.NewPID(c.Self().Address, id), message)
		}
	case lsp.Running:
		m.languages = message
		for id := range m.sessions {
			c.Send(actor.NewPID(c.Self().Address, id), message)
		}
	case messages.Notice:
		for id := range m.sessions {
			c.Send(actor.NewPID(c.Self().Address, id), message)
		}
	case shutdown:
		m.shutdown(c)
	case jobs.JobsSettled:
		m.left = message.Left
		c.Request(m.recorder, recorder.Flush{})
	case recorder.Flushed:
		m.written = true
		m.reportEnded(c)
	case alarms.Stopped:
		m.alarmClock = nil
		m.reportEnded(c)
	case *actor.Terminated:
		task.MailTerminated(c, message)
	case task.ChildGone:
		m.removeChild(c, message)
	}
}

func (m *marvin) start(c actor.Context) {
	m.sessions, m.entrances = map[string]*session.State{}, map[string]*actor.PID{}
	config := m.config
	produce := recorder.New(recorder.Deps{Home: config.Home, Audit: config.Audit, Environ: config.Environ, Notifier: config.Notifier, Log: config.Log, Problem: config.Problem})
	writes, err := c.SpawnNamed(kernel.Props(config.Log, produce), "recorder")
	if err != nil {
		panic(err)
	}
	m.recorder = writes
	if len(m.config.Others.Servers) > 0 || m.config.Others.Reread != nil {
		if _, err := c.SpawnNamed(kernel.Props(m.config.Log, func() actor.Actor { return mcpservers.New(serversOf(m.config)) }), mcpservers.ServersName); err != nil {
			panic(err)
		}
	}
	if m.config.Languages != nil {
		if _, err := c.SpawnNamed(kernel.Props(m.config.Log, func() actor.Actor {
			return lsp.New(lsp.Deps{Idle: m.config.Tuning.LanguageIdle, Late: m.config.Tuning.ProblemsLate, Log: m.config.Log, Now: m.config.Now})
		}), lsp.LanguagesName); err != nil {
			panic(err)
		}
	}
	m.jobs, err = c.SpawnNamed(kernel.Props(m.config.Log, func() actor.Actor {
		return jobs.New(jobs.Deps{Home: m.config.Home, Sandbox: m.config.Sandbox, Log: m.config.Log, Now: m.config.Now})
	}), "jobs")
	if err != nil {
		panic(err)
	}
}

func (m *marvin) open(c actor.Context, wish beginSession) {
	m.opened++
	if wish.conversation.Policy.Person {
		m.listen(c)
	}
	name := fmt.Sprintf("s%d", m.opened)
	servers := mcpservers.NewClient(c.ActorSystem().Root, c.Self(), serversOf(m.config))
	kept := session.NewState(m.config.Begin(wish.conversation, name, m.opened == 1), wish.feed)
	pid, err := c.SpawnNamed(kernel.Synchronous(kernel.Props(m.config.Log, func() actor.Actor {
		return session.New(turn.Deps{Config: m.config, Pools: m.pools, Servers: servers, Recorder: m.recorder, Ntfy: m.ntfy, Jobs: m.jobs}, kept)
	})), "session-"+name)
	if err != nil {
		panic(err)
	}
	m.sessions[pid.Id] = kept
	if len(m.languages.Names) > 0 {
		c.Send(pid, m.languages)
	}
	m.entrances[pid.Id] = c.Spawn(kernel.Props(m.config.Log, func() actor.Actor { return entrance.New(pid) }))
	c.Respond(m.entrances[pid.Id])
}

// listen creates the actors for notifications and alarms. Only a conversation with a user needs
// these actors.
func (m *marvin) listen(c actor.Context) {
	spawn := func(name string, produce func() actor.Actor) *actor.PID {
		pid, err := c.SpawnNamed(kernel.Props(m.config.Log, produce), name)
		if err != nil {
			panic(err)
		}
		return pid
	}
	if m.ntfy == nil && m.config.Notifier != nil {
		m.ntfy = spawn("ntfy", func() actor.Actor { return ntfy.New(m.config.Notifier, m.recorder) })
	}
	if m.alarmClock == nil && m.config.Alarms != nil {
		m.alarmClock = spawn("alarmClock", func() actor.Actor {
			return alarms.New(alarms.Deps{Alarms: m.config.Alarms, Environ: m.config.Environ, Grace: m.config.Tuning.CancelGrace})
		})
	}
}

// HandleFailure always restarts the recorder and the jobs actor, which every conversation needs.
// A crash of either actor loses only one message. Other children are restarted at most three times
// a minute, and a session continues from its last committed transcript.
func (m *marvin) HandleFailure(system *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, stats *actor.RestartStatistics, reason, message any) {
	if child.Equal(m.recorder) || child.Equal(m.jobs) {
		supervisor.RestartChildren(child)
		return
	}
	restart := func(any) actor.Directive { return actor.RestartDirective }
	actor.NewOneForOneStrategy(3, time.Minute, restart).HandleFailure(system, supervisor, child, stats, reason, message)
}

func (m *marvin) shutdown(c actor.Context) {
	m.closing = c.Sender()
	for _, in := range m.entrances { // the entrance delivers Quit after all earlier ops
		c.Send(in, messages.Quit{})
	}
	if m.alarmClock != nil {
		c.Request(m.alarmClock, alarms.Stop{})
	}
	m.flush(c)
}

// removeChild forgets a session or an alarm clock that has ended. If the child was a session,
// removeChild also stops the session's entrance and closes the session's state.
func (m *marvin) removeChild(c actor.Context, obituary task.ChildGone) {
	if kept := m.sessions[obituary.Who.Id]; kept != nil {
		c.Stop(m.entrances[obituary.Who.Id])
		delete(m.sessions, obituary.Who.Id)
		delete(m.entrances, obituary.Who.Id)
		kept.Close(m.config.Now())
	}
	if m.alarmClock != nil && m.alarmClock.Equal(obituary.Who) {
		m.alarmClock = nil
		m.reportEnded(c)
	}
	m.flush(c)
}

// flush finishes the shutdown once all conversations have ended. Only then does Marvin know which
// jobs remain, and only then has the recorder received everything that it must write.
func (m *marvin) flush(c actor.Context) {
	if m.closing != nil && len(m.sessions) == 0 && !m.flushing {
		m.flushing = true
		c.Request(m.jobs, jobs.SettleJobs{})
	}
}

// reportEnded tells the waiting caller that all files are written.
func (m *marvin) reportEnded(c actor.Context) {
	if m.written && m.alarmClock == nil {
		c.Send(m.closing, treeEnded{left: m.left})
	}
}

func serversOf(config *conv.Setup) mcpservers.Deps {
	return mcpservers.Deps{
		Version: config.Version, Environ: config.Environ, Dir: config.Dir, Home: config.Home, Sandbox: config.Sandbox,
		Tools: config.Tools, Others: config.Brought, Reread: config.Others.Reread, Log: config.Log, Now: config.Now,
	}
}
