package recorder

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/ntfy"
	"marvin/actors/internal/sessionlog"
	"marvin/persistence/artifacts"
	"marvin/persistence/audit"
	"marvin/persistence/chat"
	"marvin/persistence/spending"
	"marvin/tools"
)

// This file contains the recorder's writers. The writers run on their own goroutines.

// lines is a batch for [Deps.append].
type lines struct {
	calls []audit.Call
	usage spending.Usage
	dirty bool  // usage is not empty
	due   bool  // usage must be charged now
	said  []any // PromptRecord, TextRecord and Logged, in order
}

func (l *lines) empty() bool { return len(l.calls) == 0 && !l.due && len(l.said) == 0 }

// take removes and returns the current batch. If l.due is false, the usage remains in l.
func (l *lines) take() *lines {
	full := *l
	*l = lines{}
	if !full.due {
		l.usage, l.dirty = full.usage, full.dirty
		full.usage, full.dirty = spending.Usage{}, false
	}
	return &full
}

// documents is a batch for [Deps.store].
type documents struct {
	turns     []TurnRecord
	after     int              // the value that recorder.done must reach before this batch is stored
	shown     []ntfy.Delivered // notifications that must not be shown again
	ended     []*sessionlog.Log
	artifacts []*artifacts.Store // to delete
}

func (d *documents) empty() bool {
	return len(d.turns) == 0 && len(d.shown) == 0 && len(d.ended) == 0 && len(d.artifacts) == 0
}

// runningTurns holds the files of the turns that are running in this process.
type runningTurns struct {
	mu    sync.Mutex
	turns map[TurnName]*runningTurn
}

type runningTurn struct {
	file *chat.Turn      // nil without a chat log
	log  *sessionlog.Log // nil if the conversation is not saved
	// Text withheld from the chat log and from the session log, respectively.
	history, outside withheld
}

// withheld is the end of the text so far. It is not written yet, because it may be the beginning of
// a key.
type withheld string

// release returns the text that is safe to write now, and withholds the rest.
func (w *withheld) release(more string, secrets tools.Secrets) string {
	text := string(*w) + more
	whole := secrets.SafeLength(text)
	*w = withheld(text[whole:])
	return secrets.Hide(text[:whole])
}

func (t *runningTurns) add(name TurnName, turn *runningTurn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.turns == nil {
		t.turns = map[TurnName]*runningTurn{}
	}
	t.turns[name] = turn
}

// say appends new text to the chat log and the session log.
func (t *runningTurns) say(message TextRecord, secrets tools.Secrets) error {
	t.mu.Lock()
	turn := t.turns[message.Turn]
	t.mu.Unlock()
	if turn == nil { // storePrompt panicked, and the panic was reported
		return nil
	}
	err := turn.file.Say(turn.history.release(message.Text, secrets))
	if text := turn.outside.release(message.Own, secrets); turn.log != nil && text != "" {
		err = errors.Join(err, turn.log.Add(false, secrets.Hide, sessionlog.TextRecord(message.Turn.Turn, text)))
	}
	return err
}

// take removes a turn and returns the turn's file.
func (t *runningTurns) take(name TurnName) *chat.Turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	turn := t.turns[name]
	delete(t.turns, name)
	if turn == nil {
		return nil
	}
	return turn.file
}

// append writes all lines of a batch, even if some of them fail.
func (r Deps) append(batch *lines, turns *runningTurns) (problems []error) {
	note := func(what string, err error) { problems = append(problems, problemsOf(what, err)...) }
	if batch.due && r.Home.State != "" {
		note("lifetime usage", spending.Of(r.Home).Charge(batch.usage))
	}
	if len(batch.calls)+len(batch.said) == 0 {
		return problems
	}
	secrets := tools.SecretsOf(r.Environ, r.Home.User)
	for _, call := range batch.calls {
		note("", r.Audit.Record(hidden(call, secrets)))
	}
	for _, message := range batch.said {
		switch message := message.(type) {
		case PromptRecord:
			note("", r.storePrompt(message, turns, secrets))
		case TextRecord:
			note("", turns.say(message, secrets))
		case Logged:
			note("", message.Log.Add(false, secrets.Hide, message.Records...))
		}
	}
	return problems
}

func (r Deps) storePrompt(message PromptRecord, turns *runningTurns, secrets tools.Secrets) (problem error) {
	turn := &runningTurn{}
	if kept := message.Conversation.Stored; kept != nil {
		turn.log = kept.Log
		problem = kept.Log.Add(false, secrets.Hide, message.Began.OnBranch(kept.Branch(message.Conversation.Dir)))
	}
	if message.Conversation.Policy.Persist {
		file, err := chat.TurnsOf(r.Home.Profile(message.Conversation.Profile)).Begin(secrets.Hide(message.Prompt))
		turn.file, problem = file, errors.Join(problem, err)
	}
	turns.add(message.Turn, turn)
	return problem
}

// longestToolName is the maximum length of a tool name in the audit log, in bytes. A model can
// invent any name.
const longestToolName = 200

func hidden(call audit.Call, secrets tools.Secrets) audit.Call {
	call.Tool = secrets.Hide(call.Tool)
	if len(call.Tool) > longestToolName {
		call.Tool = strings.ToValidUTF8(call.Tool[:longestToolName], "") + "…"
	}
	call.Args, call.Result = json.RawMessage(secrets.Hide(string(call.Args))), secrets.Hide(call.Result)
	return call
}

// CallBegun records the beginning of a call before the call does anything.
func CallBegun(config *conv.Setup, call audit.Call) error {
	if config.Audit.Path == "" {
		return nil
	}
	return config.Audit.Begin(hidden(call, tools.SecretsOf(config.Environ, config.Home.User)))
}

// store writes documents. If it cannot write one document, it still writes the others.
func (r Deps) store(batch *documents, turns *runningTurns) (problems []error) {
	note := func(what string, err error) { problems = append(problems, problemsOf(what, err)...) }
	if len(batch.turns) > 0 {
		secrets := tools.SecretsOf(r.Environ, r.Home.User)
		for _, turn := range batch.turns {
			if kept := turn.Conversation.Stored; kept != nil && len(turn.Records) > 0 {
				note("", kept.Log.Sync()) // Deps.append has already written the turn's records
			}
			running := turns.take(turn.Turn)
			if !turn.Conversation.Policy.Persist {
				continue
			}
			profile := r.Home.Profile(turn.Conversation.Profile)
			note("chat log", chat.TurnsOf(profile).End(running,
				chat.Entry{Role: "you", Text: secrets.Hide(turn.Prompt)},
				chat.Entry{Role: "assistant", Text: secrets.Hide(turn.Answer)}))
		}
	}
	for _, artifacts := range batch.artifacts {
		note("", artifacts.Close())
	}
	for _, log := range batch.ended {
		note("", log.Close())
	}
	for _, message := range batch.shown {
		note("messages from ntfy may appear again", r.Notifier.RecordShown(message.Profile, message.News))
	}
	return problems
}

// problemsOf returns a list that contains err, or nil if err is nil. A nonempty description becomes
// a prefix of the error.
func problemsOf(what string, err error) []error {
	switch {
	case err == nil:
		return nil
	case what == "":
		return []error{err}
	}
	return []error{fmt.Errorf("%s: %w", what, err)}
}
