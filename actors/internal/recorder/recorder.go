package recorder

import (
	"log/slog"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/ntfy"
	"marvin/actors/internal/task"
	"marvin/persistence"
	"marvin/persistence/audit"
	"marvin/persistence/spending"
)

// Deps are the dependencies of the recorder.
type Deps struct {
	Home     *persistence.Home
	Audit    audit.Log
	Environ  []string
	Notifier conv.Notifier // stores which messages were shown; may be nil
	Log      *slog.Logger
	Problem  func(error) // called when a document could not be written; may be nil
}

// New returns the constructor of the actor that writes to disk. The constructor always returns the
// same actor, so unwritten documents survive the actor's restart.
func New(deps Deps) func() actor.Actor {
	writes := &recorder{deps: deps, turns: &runningTurns{}}
	return func() actor.Actor { return writes }
}

// recorder writes to disk outside Receive, so that neither a lock nor a slow disk delays a message.
// One writer appends lines without syncing them, one replaces documents and syncs them, and one
// updates usage.json within a second of a charge. Messages that arrive during a write form the next
// batch. If the actor crashes, only the message that caused the crash is lost.
type recorder struct {
	deps  Deps
	turns *runningTurns

	lines            lines
	documents        documents
	writingLines     *lines     // nil if no batch is being written
	writingDocuments *documents // nil if no batch is being written
	numbered, done   int        // the numbers of started (numbered) and ended (done) batches of lines
	owed, resting    bool       // owed: a Spent message has not been charged; resting: the last charge was less than chargeEvery ago
	charged          bool       // the journal is newer than usage.json
	merging, waking  bool       // merging: usage.json is being updated; waking: an update is due within mergeEvery
	waiting          []*actor.PID
}

// chargeEvery is the minimum time between two charges, so that many parallel sub-agents do not
// cause many writes. After a charge, an update of usage.json is due within mergeEvery.
const (
	chargeEvery = 25 * time.Millisecond
	mergeEvery  = time.Second
)

func (r *recorder) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		r.write(c) // after a crash, unwritten lines and documents remain
	case CallRecord:
		r.countCall(message)
		r.write(c)
	case AuditRemark:
		r.log(message.Entry)
		r.write(c)
	case Spent:
		r.lines.usage, r.lines.dirty, r.owed = addSpent(r.lines.usage, message), true, true
		r.charge(c)
	case chargeAgain:
		r.resting = false
		r.charge(c)
	case PromptRecord, TextRecord, Logged:
		r.lines.said = append(r.lines.said, message)
		r.write(c)
	case LogEnded:
		r.documents.ended = append(r.documents.ended, message.Log)
		r.waitForLines()
		r.write(c)
	case ArtifactsEnded:
		r.documents.artifacts = append(r.documents.artifacts, message.Artifacts)
		r.waitForLines()
		r.write(c)
	case TurnRecord:
		r.storeTurn(c, message)
	case ntfy.Delivered:
		r.documents.shown = append(r.documents.shown, message)
		r.write(c)
	case WriteFailed:
		r.tell([]error{message.Err})
	case Flush:
		r.waiting = append(r.waiting, c.Sender())
		r.write(c)
	case wroteLines:
		r.wroteLines(c, message)
	case wroteDocuments:
		r.wroteDocuments(c, message)
	case mergeDue:
		r.waking = false
		r.merge(c)
	case merged:
		r.merging = false
		r.tell(message.problems)
		r.write(c)
	}
}

// countCall counts a tool call and queues it for the audit log. The count is written with the next
// round trip.
func (r *recorder) countCall(message CallRecord) {
	r.lines.usage.Calls = count(r.lines.usage.Calls, message.Counted)
	r.lines.dirty = true
	r.log(message.Call)
}

func (r *recorder) log(entry audit.Call) {
	if r.deps.Audit.Path != "" {
		r.lines.calls = append(r.lines.calls, entry)
	}
}

// charge writes the outstanding usage to the journal of usage.json.
func (r *recorder) charge(c actor.Context) {
	if !r.owed || r.resting {
		return
	}
	r.owed, r.resting, r.lines.due = false, true, true
	task.After(c, chargeEvery, chargeAgain{})
	r.write(c)
}

// storeTurn stores the end of a turn. The turn's documents are written after all earlier lines.
func (r *recorder) storeTurn(c actor.Context, message TurnRecord) {
	r.lines.due, r.owed = r.lines.dirty, false
	if len(message.Records) > 0 {
		r.lines.said = append(r.lines.said, Logged{Log: message.Conversation.Stored.Log, Records: message.Records})
	}
	if message.Conversation.Policy.Persist || len(message.Records) > 0 {
		r.documents.turns = append(r.documents.turns, message)
		r.waitForLines()
	}
	r.write(c)
}

// waitForLines makes r.documents wait for the lines received so far.
func (r *recorder) waitForLines() {
	r.documents.after = r.numbered
	if !r.lines.empty() {
		r.documents.after++
	}
}

// write gives each idle writer its next batch. After the last batch, all callers that wait for a
// flush receive an answer.
func (r *recorder) write(c actor.Context) {
	if len(r.waiting) > 0 {
		r.lines.due, r.owed = r.lines.dirty, false
	}
	if r.writingLines == nil && !r.lines.empty() {
		full, deps, turns := r.lines.take(), r.deps, r.turns
		r.writingLines = full
		r.numbered++
		task.Do(c, func() any { return wroteLines{full, deps.append(full, turns)} },
			func(panicked *task.Panicked) any { return wroteLines{full, []error{panicked}} })
	}
	if r.writingDocuments == nil && !r.documents.empty() && r.done >= r.documents.after {
		full, deps, turns := r.documents, r.deps, r.turns
		r.documents, r.writingDocuments = documents{}, &full
		task.Do(c, func() any { return wroteDocuments{&full, deps.store(&full, turns)} },
			func(panicked *task.Panicked) any { return wroteDocuments{&full, []error{panicked}} })
	}
	if r.writingLines != nil || r.writingDocuments != nil || len(r.waiting) == 0 {
		return
	}
	if r.charged || r.merging {
		r.merge(c)
		return
	}
	for _, waiter := range r.waiting {
		c.Send(waiter, Flushed{})
	}
	r.waiting = nil
}

func (r *recorder) wroteLines(c actor.Context, message wroteLines) {
	if r.writingLines == message.batch {
		r.writingLines = nil
		r.done++
	}
	for _, said := range message.batch.said {
		switch said := said.(type) {
		case PromptRecord:
			c.Send(said.Router, PromptStored{})
		case Logged:
			if said.Written != nil {
				said.Written <- struct{}{} // the channel is buffered
			}
		}
	}
	r.tell(message.problems)
	if message.batch.due && r.deps.Home.State != "" {
		r.charged = true
		if !r.waking {
			r.waking = true
			task.After(c, mergeEvery, mergeDue{})
		}
	}
	r.write(c)
}

func (r *recorder) wroteDocuments(c actor.Context, message wroteDocuments) {
	if r.writingDocuments == message.batch {
		r.writingDocuments = nil
	}
	for _, turn := range message.batch.turns {
		c.Send(turn.Session, TurnWritten{Turn: turn.Turn.Turn})
	}
	r.tell(message.problems)
	r.write(c)
}

func (r *recorder) merge(c actor.Context) {
	if r.merging || !r.charged {
		return
	}
	r.merging, r.charged = true, false
	home := r.deps.Home
	task.Do(c, func() any { return merged{problemsOf("lifetime usage", spending.Of(home).Merge())} },
		func(panicked *task.Panicked) any { return merged{[]error{panicked}} })
}

func (r *recorder) tell(problems []error) {
	for _, problem := range problems {
		r.deps.Log.Warn("document not written", "reason", problem)
		if r.deps.Problem != nil {
			// Report every problem. On a full disk, the error about usage.json comes first, and the
			// more important error about the turn comes later.
			r.deps.Problem(problem)
		}
	}
}
