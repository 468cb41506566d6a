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

// Query looks for words in conversations that are kept, in prompts and answers, not in results
// of tools. It is safe for concurrent use. Close it after use. May says whether the words may
// stand in a conversation, and In where they do in one that may have them.
type Query = sessionlog.Query

// Found is the last place of a conversation where all words stand in one message.
type Found = sessionlog.Found

// NewQuery takes words, with blanks between them; case makes no difference.
func NewQuery(home *persistence.Home, words string) *Query {
	return sessionlog.NewQuery(home.Sessions(), words)
}
