package session

import (
	"slices"
	"strings"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/disclosure"
	"marvin/actors/internal/mail"
	"marvin/actors/internal/recorder"
	"marvin/actors/internal/sessionlog"
	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence/sessions"
)

// sentBeside lists requests that went to a provider and left no message in the conversation.
type sentBeside struct {
	told map[string]bool   // keyed by "provider\x00path"; true if an earlier request listed the path
	kept []sessionlog.Sent // requests that were not logged
}

// logRequest logs a request whose answer is not part of the conversation. In a sub-agent, the
// caller's session writes the log entry. sideTurn is nil if the running turn is part of the
// conversation.
func (k *keeping) logRequest(c actor.Context, sideTurn *aside, sent sessionlog.Sent) {
	switch begin := k.state.conversation; {
	case begin.Caller.Session != nil:
		c.Send(begin.Caller.Session, mail.RequestSent{Sent: sent})
	case begin.Stored.ID() == "": // the log is missing, empty or unlisted
		k.keepSent(c, k.recorder, nil, sent)
	case sideTurn != nil: // stored together with the question
		sideTurn.sent = append(sideTurn.sent, k.state.sent.unreported(sent))
	default:
		k.keepSent(c, k.recorder, begin.Stored.Log, sent)
	}
}

// keepSent writes a request to the conversation's log. If there is no log, keepSent keeps the
// request in memory.
func (v *emitter) keepSent(c actor.Context, writer *actor.PID, log *sessionlog.Log, sent sessionlog.Sent) {
	sent = v.state.sent.unreported(sent)
	if log != nil {
		c.Send(writer, recorder.Logged{Log: log, Records: []sessionlog.Record{sessionlog.RequestRecord(sent)}})
		return
	}
	sent.At = v.now()
	v.state.sent.kept = append(v.state.sent.kept, sent)
}

// unreported returns the request with only the source paths that are new to the provider, and
// records these paths in b.told.
func (b *sentBeside) unreported(sent sessionlog.Sent) sessionlog.Sent {
	provider, _, _ := strings.Cut(sent.Model, "/")
	sent.Places = slices.DeleteFunc(slices.Clone(sent.Places), func(place string) bool { return b.told[provider+"\x00"+place] })
	if b.told == nil {
		b.told = map[string]bool{}
	}
	for _, place := range sent.Places {
		b.told[provider+"\x00"+place] = true
	}
	return sent
}

// showSent shows the user what this conversation sent to providers.
func (l *lookups) showSent(c actor.Context) {
	registry, home := l.config.Tools.Snapshot(), l.config.Home
	id, committed, beside := l.state.conversation.Stored.ID(), l.state.committed, l.state.sent.kept
	task.Do(c, func() any {
		count := disclosure.SentCount{Registry: registry, Told: map[string]map[string]bool{}}
		if id == "" {
			count.Collect(committed, beside)
			return messages.Notice{Level: messages.Info, Text: disclosure.SentTable(count.Turns)}
		}
		count.Collect(nil, beside)
		turns, err := disclosure.ReadSent(home, sessions.Info{Header: sessions.Header{ID: id}}, registry)
		if err != nil {
			return messages.Notice{Level: messages.Problem, Text: "Marvin cannot read the record of sent data: " + err.Error()}
		}
		return messages.Notice{Level: messages.Info, Text: disclosure.SentTable(append(count.Turns, turns...))}
	}, func(panicked *task.Panicked) any {
		return messages.Notice{Level: messages.Problem, Text: "Marvin cannot read the record of sent data: " + panicked.Error()}
	})
}
