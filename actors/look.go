package actors

import (
	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/persistence"
	"marvin/tools"
)

// Told is a conversation that is kept, as people read it.
type Told struct {
	Info     persistence.SessionInfo
	Turns    []messages.Recalled
	Problems []string // what could not be read
}

// Tell reads the branch of a conversation that goes on, all of it, also while a process
// is in it. The registry puts calls into words; nothing runs.
func Tell(home *persistence.Home, info persistence.SessionInfo, registry *tools.Registry) (Told, error) {
	return TellTo(home, info, 0, registry)
}

// TellTo reads what leads to a turn of a conversation, by the entry that [Branches] has for
// it; 0 is where it goes on.
func TellTo(home *persistence.Home, info persistence.SessionInfo, entry int64, registry *tools.Registry) (Told, error) {
	content, err := sessionlog.ReadTo(home.Sessions(), info, entry)
	if err != nil {
		return Told{}, err
	}
	told := Told{Info: info, Problems: content.Problems}
	for _, turn := range content.Turns {
		told.Turns = append(told.Turns, recalled(registry, turn))
	}
	return told, nil
}

// Branches are the turns of a conversation, also while a process is in it.
func Branches(home *persistence.Home, info persistence.SessionInfo) (messages.Tree, error) {
	return sessionlog.Tree(home.Sessions(), info.ID, -1)
}

// Query looks for words in conversations that are kept. It belongs to one goroutine.
type Query struct {
	home  *persistence.Home
	query *sessionlog.Query
}

// Found is the last place of a conversation where all words stand in one message.
type Found = sessionlog.Found

// NewQuery takes words, with blanks between them; case makes no difference.
func NewQuery(home *persistence.Home, words string) *Query {
	return &Query{home: home, query: sessionlog.NewQuery(words)}
}

// May says whether the words may stand in a conversation. It reads a block of a file, and
// mostly waits for the disk where the kernel does not have it.
func (q *Query) May(info persistence.SessionInfo) (bool, error) {
	return q.query.May(q.home.Sessions(), info)
}

// In looks through what was said in a conversation that may have them: prompts and answers, not
// results of tools. Ok is false if the words are nowhere.
func (q *Query) In(info persistence.SessionInfo) (found Found, ok bool, err error) {
	return q.query.In(q.home.Sessions(), info)
}
