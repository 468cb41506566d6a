package turn

import (
	"errors"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/budget"
	"marvin/actors/internal/model"
	"marvin/actors/internal/prompt"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence/chat"
	"marvin/providers"
	"marvin/tools"
)

// Messages from the tasks that plan and assemble a compaction.
type (
	planned struct {
		plan   budget.Plan
		backup string
		err    error
	}
	compacted struct {
		result budget.Result
		err    error
	}
)

// compaction shortens the conversation.
type compaction struct {
	*turnState
	billing *billing
	hooks   *turnHooks
	focus   string // the most important subject of the summary
	tidied  bool   // the provider's cache has been checked since the last request
	vain    int    // the size in tokens when makeRoom last removed nothing; initially 0
	held    *step  // the calls that wait while old results are removed, or nil
	writes  bool   // a task is writing a backup or artifacts
	summary summary
}

type summary struct {
	plan   budget.Plan
	backup string
	part   int
	text   string // the summary of the parts so far; empty if the model failed
	looked bool   // the session was asked for a cheaper model
}

// beginCompaction starts a task that chooses what the conversation keeps. Everything is backed up
// before anything is dropped.
func (s *compaction) beginCompaction(c actor.Context) {
	s.note(c, messages.Info, budget.NoticeBegin)
	input := s.budgetInput()
	whole := append(s.input.History[:len(s.input.History):len(s.input.History)], s.turn.New()...)
	secrets := tools.SecretsOf(s.Config.Environ, s.Config.Home.User)
	profile, dir := s.Config.Home.Profile(s.conversation.Profile), s.conversation.Dir
	s.writes = true
	task.Do(c, func() any {
		plan := budget.New(input)
		if plan.Empty() {
			return planned{err: budget.ErrNoGain}
		}
		backup, err := chat.BackupContext(profile, dir, budget.Hide(budget.Backup(whole), secrets.Hide))
		return planned{plan: plan, backup: backup, err: err}
	}, func(panicked *task.Panicked) any { return planned{err: panicked} })
}

// budgetInput returns the conversation and its limits in the form that package budget needs.
func (s *compaction) budgetInput() budget.Input {
	meter := s.meter()
	return budget.Input{
		Messages: s.turn.Messages(), Turn: s.turn.Base(), Limits: s.limits(), Count: meter.Text,
		Plan: s.plan.Unfinished(), PlanCall: s.plan.Call, Focus: s.focus,
		Fixed: meter.Count(providers.Question{System: s.frame.System, Tools: s.offered}, 0),
	}
}

// After the backup, askHooks asks the hooks whether to summarize the conversation.
func (s *compaction) askHooks(c actor.Context, message planned) step {
	s.writes = false
	switch {
	case s.phase != compacting:
		return step{}
	case s.cancel:
		return ending(s.cancelled(), s.limit)
	case message.err != nil:
		return s.finishCompaction(c, compacted{err: message.err})
	}
	s.helper, s.summary = UseProvider{}, summary{plan: message.plan, backup: message.backup}
	if s.choice.Provider == providers.Offline {
		s.summary.part = message.plan.Parts() // the built-in assistant cannot summarize
	}
	return s.hooks.mayCompact(c)
}

// beginSummary requests the first part of the summary. If a hook refused the summary, the
// compaction ends.
func (s *compaction) beginSummary(c actor.Context, refused error) step {
	if refused != nil {
		return s.finishCompaction(c, compacted{err: refused})
	}
	return s.next(c)
}

// next asks a model for the next part of the summary. After the last part, a task assembles the
// shorter conversation.
func (s *compaction) next(c actor.Context) step {
	if s.summary.part < s.summary.plan.Parts() {
		question := s.summary.plan.Question(s.summary.part, s.summary.text)
		if small, ok := s.Config.Summarizer(s.choice, question, s.places()); ok && !s.summary.looked {
			s.summary.looked = true
			c.Request(s.input.Session, WantProvider{Choice: small, Beside: true})
			return step{}
		}
		s.billing.put(c, question)
		return step{}
	}
	state := s.summary
	task.Do(c, func() any {
		result, err := state.plan.Assemble(state.text, state.backup)
		return compacted{result: result, err: err}
	}, func(panicked *task.Panicked) any { return compacted{err: panicked} })
	return step{}
}

// receiveSummary stores the model's summary of the parts so far. If the conversation's own model
// fails, [budget.Plan.Assemble] creates a summary without a model.
func (s *compaction) receiveSummary(c actor.Context, message model.Answered) step {
	s.billing.account(c, message)
	if s.cancel {
		return ending(s.cancelled(), s.limit)
	}
	if s.helper.Pid != nil && (message.Err != nil || message.Reply.Text == "") {
		s.helper = UseProvider{} // the conversation's own model takes over
		return s.next(c)
	}
	s.summary.text = message.Reply.Text
	s.summary.part++
	if message.Err != nil || message.Reply.Text == "" {
		s.summary.text, s.summary.part = "", s.summary.plan.Parts()
	}
	return s.next(c)
}

// finishCompaction installs the shorter conversation and returns the next step. After an error the
// conversation stays unchanged.
func (s *compaction) finishCompaction(c actor.Context, message compacted) step {
	if s.phase != compacting {
		return step{}
	}
	if message.err != nil {
		level := messages.Warning
		if errors.Is(message.err, budget.ErrNoGain) {
			level = messages.Info
		}
		s.note(c, level, budget.NoticeFailed(message.err))
		s.weight.tried = max(s.weight.tokens, 1)
	} else {
		s.turn.Replace(message.result.Messages, message.result.Turn)
		s.frame = prompt.Begin(s.parts) // the removed messages can contain changes to the system text
		s.weight.tried = message.result.After
		s.tell(c, messages.Compacted{Before: message.result.Before, After: message.result.After})
		s.note(c, messages.Info, budget.NoticeEnd)
	}
	if s.input.Compact {
		return ending(messages.Completed, "")
	}
	return step{to: asks}
}
