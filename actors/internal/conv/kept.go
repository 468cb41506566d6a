package conv

import (
	"cmp"
	"reflect"

	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/projects"
	"marvin/persistence/sessions"
	"marvin/tools"
)

// StoredSession is a running conversation that is stored on disk, round by round.
type StoredSession struct {
	Log      *sessionlog.Log
	Before   *sessionlog.Content // the earlier conversation; nil for a new one
	Terminal string
	Entitled bool               // a title was requested
	Named    bool               // the user chose the title
	Passing  bool               // see StoreAnswer
	titles   func(title string) // called with each title of the conversation; may be nil
}

// StoreSession begins a stored conversation. The name is a label for the user, or "". Nothing is
// written before the first message.
func StoreSession(home *persistence.Home, header sessions.Header, name, terminal string) *StoredSession {
	return &StoredSession{Log: sessionlog.New(sessions.New(home), header, name, home.Now), Terminal: terminal}
}

// StoreAnswer begins a headless run, which has no id and whose changes cannot be undone. Marvin
// keeps the last few such runs of each directory, so that a later run can continue one of them.
func StoreAnswer(home *persistence.Home, header sessions.Header, terminal string) *StoredSession {
	return &StoredSession{Log: sessionlog.Answer(sessions.New(home), header, home.Now), Terminal: terminal, Passing: true}
}

// Listed reports whether the conversation appears in lists of conversations.
func (k *StoredSession) Listed() bool { return k != nil && !k.Passing }

// Reserve keeps a name reserved until the conversation ends.
func (k *StoredSession) Reserve(name *sessions.Reservation) *StoredSession {
	k.Log.Reserve(name)
	return k
}

// OnTitle sets the function that is called with each title of the conversation. The function must
// not block.
func (k *StoredSession) OnTitle(told func(title string)) *StoredSession {
	k.titles = told
	return k
}

func (k *StoredSession) Entitle(title string) {
	if k.titles != nil {
		k.titles(title)
	}
}

// Resume continues a stored conversation. It returns a [sessions.BusyError] if another process is
// using the conversation.
func Resume(home *persistence.Home, id, terminal string) (*StoredSession, error) {
	log, content, err := sessionlog.Open(sessions.New(home), id, home.Now)
	if err != nil {
		return nil, err
	}
	return (&StoredSession{Log: log, Before: content, Terminal: terminal}).resolveDir(), nil
}

// Look reads the current state of a conversation, even while another process is using the
// conversation. Look writes nothing.
func Look(home *persistence.Home, id string) (*StoredSession, error) {
	log, content, err := sessionlog.Look(sessions.New(home), id, home.Now)
	if err != nil {
		return nil, err
	}
	return (&StoredSession{Log: log, Before: content}).resolveDir(), nil
}

// resolveDir resolves symbolic links in the stored directory. Older versions of Marvin stored
// unresolved paths, which the rules in "private:" do not match.
func (k *StoredSession) resolveDir() *StoredSession {
	k.Before.State.Dir, k.Before.Info.Dir = projects.RealDir(k.Before.State.Dir), projects.RealDir(k.Before.Info.Dir)
	return k
}

// ID returns the id of the conversation. It is "" before the first message and for a conversation
// that is not listed. ID never blocks.
func (k *StoredSession) ID() string {
	if !k.Listed() {
		return ""
	}
	return k.Log.ID()
}

// Branch returns the git branch of dir. If dir is empty, Branch uses the directory in which the
// conversation began.
func (k *StoredSession) Branch(dir string) string { return tools.Branch(cmp.Or(dir, k.Log.Dir())) }

// Close releases a conversation that was never opened by a session.
func (k *StoredSession) Close() error {
	if k == nil {
		return nil
	}
	return k.Log.Close()
}

// LossError returns an error if a part of the conversation could not be stored. The result is final
// once all actors have ended.
func (k *StoredSession) LossError() error {
	if k == nil {
		return nil
	}
	return k.Log.Lost()
}

// DroppedMessages returns the messages that a compaction dropped.
func DroppedMessages(turn sessionlog.Turn) []messages.Message {
	for at := range turn.Before {
		if rest := turn.Before[at:]; len(rest) <= len(turn.Messages) && reflect.DeepEqual(rest, turn.Messages[:len(rest)]) {
			return turn.Before[:at]
		}
	}
	return turn.Before
}

// GoTo moves the current end of the conversation to the given entry.
func (k *StoredSession) GoTo(entry int64) (*StoredSession, error) {
	content, err := k.Log.GoTo(entry)
	if err != nil {
		return nil, err
	}
	if k.Before != nil { // the usage after the entry is missing from content
		content.State.Usage = k.Before.State.Usage
	}
	return (&StoredSession{Log: k.Log, Before: content, Terminal: k.Terminal}).resolveDir(), nil
}
