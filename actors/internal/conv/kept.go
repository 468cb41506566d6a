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

// StoredSession is a conversation stored on disk while it runs: messages, round by round, and what its model
// knows.
type StoredSession struct {
	Log      *sessionlog.Log
	Before   *sessionlog.Content // what was said earlier; nil where it begins
	Terminal string
	Entitled bool               // a title was asked for
	Named    bool               // a person gave one
	Passing  bool               // see KeepAnswer
	titles   func(title string) // hears each title of the conversation; may be nil
}

// StoreSession begins a conversation that is kept. A name, which may be empty, is what people find
// it by. Nothing is written before something is said.
func StoreSession(home *persistence.Home, header sessions.Header, name, terminal string) *StoredSession {
	return &StoredSession{Log: sessionlog.New(sessions.Of(home), header, name, home.Now), Terminal: terminal}
}

// StoreAnswer stores a headless run, among the last few of its directory, so that it can be
// continued. Until then it has no id and no undo.
func StoreAnswer(home *persistence.Home, header sessions.Header, terminal string) *StoredSession {
	return &StoredSession{Log: sessionlog.Answer(sessions.Of(home), header, home.Now), Terminal: terminal, Passing: true}
}

// Lasts says whether the conversation is among those that lists have.
func (k *StoredSession) Lasts() bool { return k != nil && !k.Passing }

// Reserved gives a conversation that begins its name, to be let go when it ends.
func (k *StoredSession) Reserved(name *sessions.Name) *StoredSession {
	k.Log.Reserve(name)
	return k
}

// Titled sets a function that hears each title of the conversation. The function must not
// block.
func (k *StoredSession) Titled(told func(title string)) *StoredSession {
	k.titles = told
	return k
}

func (k *StoredSession) Entitle(title string) {
	if k.titles != nil {
		k.titles(title)
	}
}

// Resume continues a conversation. A [sessions.BusyError] says that another process uses it.
func Resume(home *persistence.Home, id, terminal string) (*StoredSession, error) {
	log, content, err := sessionlog.Open(sessions.Of(home), id, home.Now)
	if err != nil {
		return nil, err
	}
	return (&StoredSession{Log: log, Before: content, Terminal: terminal}).resolved(), nil
}

// Look reads a conversation in its present state, also while another process uses it. It writes
// nothing.
func Look(home *persistence.Home, id string) (*StoredSession, error) {
	log, content, err := sessionlog.Look(sessions.Of(home), id, home.Now)
	if err != nil {
		return nil, err
	}
	return (&StoredSession{Log: log, Before: content}).resolved(), nil
}

// resolved gives the directory of a stored conversation its real name: an older Marvin stored
// the name of a link, which no rule of private: matches.
func (k *StoredSession) resolved() *StoredSession {
	k.Before.State.Dir, k.Before.Info.Dir = projects.RealDir(k.Before.State.Dir), projects.RealDir(k.Before.Info.Dir)
	return k
}

// ID names the stored conversation; "" before the first message. It never blocks.
func (k *StoredSession) ID() string {
	if !k.Lasts() {
		return ""
	}
	return k.Log.ID()
}

// Branch is the branch of git that it is talked on: that of its directory, and without one
// that of where it began.
func (k *StoredSession) Branch(dir string) string { return tools.Branch(cmp.Or(dir, k.Log.Dir())) }

// Close releases a conversation that was never opened by a session.
func (k *StoredSession) Close() error {
	if k == nil {
		return nil
	}
	return k.Log.Close()
}

// Lost is why something of the conversation is not on the disk and never will be, once the tree
// ended; nil if all is.
func (k *StoredSession) Lost() error {
	if k == nil {
		return nil
	}
	return k.Log.Lost()
}

// Messages to the recorder about stored conversations.

// BeforeOnly returns the messages before a compaction that are not repeated after it.
func BeforeOnly(turn sessionlog.Turn) []messages.Message {
	for at := range turn.Before {
		if rest := turn.Before[at:]; len(rest) <= len(turn.Messages) && reflect.DeepEqual(rest, turn.Messages[:len(rest)]) {
			return turn.Before[:at]
		}
	}
	return turn.Before
}

// GoTo makes an entry the current end.
func (k *StoredSession) GoTo(entry int64) (*StoredSession, error) {
	content, err := k.Log.GoTo(entry)
	if err != nil {
		return nil, err
	}
	if k.Before != nil { // what all runs of a program cost
		content.State.Usage = k.Before.State.Usage
	}
	return (&StoredSession{Log: k.Log, Before: content, Terminal: k.Terminal}).resolved(), nil
}
