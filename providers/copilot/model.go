package copilot

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	sdk "github.com/github/copilot-sdk/go"

	"marvin/providers"
)

// Config configures a model.
type Config struct {
	CLI   *CLI   // shared by all models of the program
	Model string // the name that Copilot or the user's own provider uses for the model
}

// Model is one conversation with one model. It answers one question at a time.
type Model struct {
	config Config

	life context.Context // canceled by Close
	end  context.CancelCauseFunc

	busy    sync.Mutex // held during an answer; guards the fields below
	session *session   // nil before the first question, and after an error that ends a session
	joined  bool
	unasked bool // Copilot refused a reasoning effort, so later requests omit the effort
}

var _ providers.Model = (*Model)(nil)

// New returns a model. Nothing is started before the first call of Respond.
func New(config Config) *Model {
	m := &Model{config: config}
	m.life, m.end = context.WithCancelCause(context.Background())
	return m
}

// Close ends the answer in progress. A background job deletes the conversation, and stops the CLI
// if no other model uses the CLI. [CLI.Stop] waits for this job.
func (m *Model) Close() error {
	m.end(errClosed)
	m.config.CLI.background(func() {
		m.busy.Lock()
		defer m.busy.Unlock()
		if m.session != nil {
			m.session.end()
			m.session = nil
		}
		if m.joined {
			m.config.CLI.leave()
			m.joined = false
		}
	})
	return nil
}

// Respond asks for one answer. The SDK has its own tool loop, but Marvin runs the tools. Respond
// returns the calls, and the session waits until the next question brings the results.
func (m *Model) Respond(ctx context.Context, question providers.Question, emit func(providers.Part)) (providers.Reply, error) {
	m.busy.Lock()
	defer m.busy.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(m.life, func() { cancel(errClosed) })()
	if m.life.Err() != nil {
		return providers.Reply{}, errClosed
	}
	silent := true
	turn := newTurn(func(part providers.Part) { silent = false; emit(part) })
	err := m.respond(ctx, question, turn, emit)
	if errors.Is(err, errDied) && silent && ctx.Err() == nil {
		// The process died before the first part of the answer. The user has seen nothing and no
		// call is open, so asking again is safe.
		m.settle(turn, err)
		turn = newTurn(emit)
		err = m.respond(ctx, question, turn, emit)
	}
	if err != nil && silent && ctx.Err() == nil && m.refusesEffort(m.effort(question), err, turn) {
		// If the user's own provider refuses the effort, the CLI reports a failed answer.
		told := turn.reply.Notices
		m.settle(turn, err)
		turn = newTurn(emit)
		turn.reply.Notices = told
		err = m.respond(ctx, question, turn, emit)
	}
	reply := turn.answer()
	if m.session != nil {
		m.session.said = turn.said.String()
	}
	if err != nil {
		m.settle(turn, err)
		if errors.Is(err, errDied) {
			err = fmt.Errorf("%w: %w; the next prompt starts it again", providers.ErrCut, err)
		}
		return reply, fmt.Errorf("ask copilot: %w", err)
	}
	for _, waiting := range m.session.open {
		reply.Calls = append(reply.Calls, waiting.call)
	}
	return reply, nil
}

func (m *Model) respond(ctx context.Context, question providers.Question, turn *turn, emit func(providers.Part)) error {
	if !m.joined {
		m.config.CLI.join()
		m.joined = true
	}
	// The time that the CLI takes to start does not count as silence from the model.
	process, err := m.config.CLI.ensureRunning(ctx, func(atMost time.Duration) {
		emit(providers.Part{Kind: providers.NoticePart, Wait: atMost})
	})
	if err != nil {
		return err
	}
	ctx, stop := process.withProcess(ctx)
	defer stop()
	if err := m.put(ctx, process, question, turn); err != nil {
		return err
	}
	idle, err := turn.read(ctx, m.session.inbox)
	if err != nil || idle {
		return err
	}
	m.session.open = turn.take()
	return nil
}

// put delivers a question to the session: the results of calls or a new prompt. If a new session is
// needed, put delivers the whole conversation.
func (m *Model) put(ctx context.Context, process *process, question providers.Question, turn *turn) error {
	prompt, answered := "", false
	if s := m.session; s != nil && s.process == process {
		effort := m.effort(question)
		ok, err := s.think(ctx, m.config.Model, effort)
		if m.refusesEffort(effort, err, turn) {
			ok, err = true, nil
		}
		if err == nil && !ok {
			m.drop()
		}
	}
	if s := m.session; s != nil {
		var err error
		if prompt, answered, err = s.resume(ctx, process, question); err != nil {
			if err = process.cause(ctx, err); ctx.Err() != nil || process.alive.Err() != nil {
				return err
			}
			m.drop() // a new session may work
			answered = false
		}
	}
	if m.session != nil && !answered && prompt == "" {
		m.drop()
	}
	if m.session == nil {
		own, err := ownKey(m.config.CLI.config.Environ)
		if err != nil {
			return err
		}
		effort := m.effort(question)
		if m.session, err = open(ctx, process, m.config.Model, effort, own, question); m.refusesEffort(effort, err, turn) {
			m.session, err = open(ctx, process, m.config.Model, "", own, question)
		}
		if err != nil {
			return process.cause(ctx, err)
		}
		var lost int
		if prompt, lost = opening(question.Messages); lost > 0 {
			turn.reply.Notices = append(turn.reply.Notices, fmt.Sprintf("Copilot started a new session, and %d older messages of this conversation were too long to send again in full; repeat what matters.", lost))
		}
	}
	m.session.seen, m.session.said = question.Messages, ""
	if answered {
		return nil
	}
	m.session.inbox.clear()
	if _, err := m.session.sdk.Send(ctx, sdk.MessageOptions{Prompt: prompt, Attachments: shown(question.Messages)}); err != nil {
		return process.cause(ctx, err)
	}
	return nil
}

// settle interrupts the turn after a failure. It drops the session instead in four cases: the turn
// is over and its prompt remains in the history, calls lack results, the model was silent, or the
// interruption fails.
func (m *Model) settle(turn *turn, err error) {
	if m.session == nil {
		return
	}
	if turn.over || len(m.session.open) > 0 || errors.Is(err, providers.ErrSilent) || !m.session.abort() {
		m.drop()
	}
}

// drop removes the session from m. A background goroutine ends the session.
func (m *Model) drop() {
	dropped := m.session
	m.session = nil
	m.config.CLI.background(dropped.end)
}
