package actors

import (
	"context"
	"fmt"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
)

// A person looks at a sub-agent, or stops it: the wish goes from the session over the router to
// the call, which keeps what its members said and did for that alone.

const (
	noSuchAgent     = "That sub-agent does not run any more; what it reported is in the result of its call."
	agentWaits      = "That sub-agent has not begun yet: it waits for its turn."
	stoppedByPerson = "stopped by the person"
)

// mostTold is how much of the conversation of a sub-agent is kept for a person, in bytes; the
// task stays, and what came last.
const mostTold = 32 << 10

// visit hands the wish to the call.
func (r *round) visit(c actor.Context, wish messages.VisitAgent) {
	for _, child := range c.Children() {
		if position, lives := r.workers[child.Id]; r.phase == running && lives && r.calls[position].ID == wish.Call {
			c.Send(child, wish)
			return
		}
	}
	r.note(c, messages.Warning, noSuchAgent)
}

// visit shows one of them to a person, or ends it alone.
func (s *subAgents) visit(c actor.Context, wish messages.VisitAgent) {
	note := func(text string) { c.Send(c.Parent(), messages.Notice{Level: messages.Warning, Text: text}) }
	if s == nil || wish.Agent < 1 || wish.Agent > len(s.members) {
		note(noSuchAgent)
		return
	}
	one := s.members[wish.Agent-1]
	switch {
	case one == nil || wish.Stop && one.state == messages.AgentWaiting:
		note(agentWaits)
	case !wish.Stop:
		c.Send(c.Parent(), messages.AgentShown{
			Call: s.call, Agent: one.number, Name: tools.Visible(one.task.Name), State: one.state, Text: one.told.text(one.task.Prompt),
		})
	case one.state != messages.AgentWorking && one.state != messages.AgentAsking:
		note(noSuchAgent)
	case one.pid != nil:
		one.stopped = true
		c.Send(one.pid, messages.Quit{})
	case one.stop != nil: // it is elsewhere
		one.stopped = true
		one.stop()
	}
}

// account is what a sub-agent said and did, for a person who looks at it.
type account struct {
	lines []string
	size  int
	cut   bool // the beginning is left out
}

// add keeps one more line, and forgets old ones where they are too many. Nothing in it steers a
// terminal.
func (a *account) add(line string) {
	if line = strings.Trim(tools.Visible(line), "\n"); strings.TrimSpace(line) == "" {
		return
	}
	if len(line) > mostTold/4 {
		line = strings.ToValidUTF8(line[:mostTold/4], "") + "…"
	}
	a.lines, a.size = append(a.lines, line), a.size+len(line)
	for a.size > mostTold {
		a.size -= len(a.lines[0])
		a.lines, a.cut = a.lines[1:], true
	}
}

// hear takes what a session told its audience.
func (a *account) hear(event messages.Event, words string) {
	a.add(words)
	switch event := event.(type) {
	case messages.ToolStarted:
		a.add("→ " + callTitle(event.Name, event.Title))
	case messages.ToolEnded:
		line := fmt.Sprintf("  %s: %s", event.Name, event.Status.Ended(event.Exit))
		if event.Summary != "" {
			line += " · " + event.Summary
		}
		a.add(line)
	case messages.Notice:
		a.add("• " + event.Text)
	default: // the live line has it
	}
}

// callTitle is what was called with what.
func callTitle(name, title string) string {
	if strings.HasPrefix(title, name) {
		return title
	}
	return strings.TrimSpace(name + " " + title)
}

func (a *account) text(task string) string {
	parts := []string{"> " + strings.ReplaceAll(tools.Visible(strings.TrimSpace(task)), "\n", "\n> ")}
	if a.cut {
		parts = append(parts, "[… the beginning is left out]")
	}
	return strings.Join(append(parts, a.lines...), "\n\n")
}

// alone is the life of one member, which ends with that of all.
func (s *subAgents) alone(one *member) context.Context {
	life, stop := context.WithCancel(s.life)
	one.stop = stop
	return life
}
