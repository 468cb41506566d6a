package call

import (
	"context"
	"errors"
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/tools"
)

// This file runs sub-agents that are external programs. Each program runs in a task, which mails
// the program's progress to the worker.

// hire executes an external program for a task, under the caller's limits.
func (s *subAgents) hire(c actor.Context, position int, one *agent) {
	given, left, err := s.restricted(one, "no external agent")
	if err == nil && given.Tools != nil {
		err = errors.New("this conversation is limited to some tools, but an external agent brings all its own tools")
	}
	if err != nil {
		one.report = tools.Report{Outcome: messages.Failed, Err: err.Error()}
		s.completeReport(c, one)
		return
	}
	one.purse = left
	s.runRemote(c, position, one, func(life context.Context, say func(tools.TaskProgress)) tools.Report {
		return given.Program(life, given, say)
	})
}

// follow sends the text and the tool calls of an external program to the user. At the cost limit,
// the program is stopped.
func (s *subAgents) follow(c actor.Context, one *agent, doing tools.TaskProgress) {
	if one.task.Program == nil {
		return
	}
	if one.state = messages.AgentWorking; doing.Asks {
		one.state = messages.AgentAsking
	}
	if doing.Said != "" {
		one.told.say(doing.Said)
	} else if one.doing != "" && one.doing != one.shown {
		one.shown = one.doing
		one.told.appendLine("→ " + one.doing)
	}
	s.readAlong(c, one)
	if one.purse > 0 && doing.Usage.Cost >= one.purse && !one.dear {
		one.dear = true
		one.stop()
	}
}

// overspent declares the report failed if the cost limit stopped the program.
func (s *subAgents) overspent(one *agent) {
	if one.dear && one.report.Outcome != messages.Completed {
		one.report.Outcome, one.report.Err = messages.Failed, fmt.Sprintf("the cost limit of $%g was reached; the work done so far is shown above", s.Conversation.Policy.Limits.Cost)
	}
}
