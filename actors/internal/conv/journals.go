package conv

import (
	"fmt"
	"sync"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/artifacts"
	"marvin/persistence/undolog"
	"marvin/tools/undo"
)

// UndoLog records the changes that a conversation and its sub-agents make to files. It is stored
// with the conversation, or kept in memory if the conversation is not stored. It is safe for
// concurrent use.
type UndoLog struct {
	Home    *persistence.Home
	Kept    *StoredSession
	once    sync.Once
	journal *undolog.Journal
}

func (u *UndoLog) Get() *undolog.Journal {
	u.once.Do(func() { u.journal = undolog.Of(u.Home, u.Kept.ID()) })
	return u.journal
}

// Keeper returns a recorder for the changes that a call makes, or nil if u is nil.
func (u *UndoLog) Keeper(problem func(error), turn string, call messages.ToolCall) *undo.Keeper {
	if u == nil {
		return nil
	}
	return &undo.Keeper{
		Journal: u.Get, Turn: turn, Call: call.ID, Tool: call.Name,
		Problem: func(err error) { problem(fmt.Errorf("/undo cannot fully undo this turn: %w", err)) },
	}
}

// ArtifactLog stores long tool outputs of a conversation and its sub-agents. If the conversation
// has no id, the outputs are deleted when the conversation ends. ArtifactLog is safe for concurrent
// use. A nil ArtifactLog stores nothing.
type ArtifactLog struct {
	Home *persistence.Home
	Kept *StoredSession
	once sync.Once
	all  *artifacts.Store
}

func (a *ArtifactLog) Get() *artifacts.Store {
	if a == nil {
		return nil
	}
	a.once.Do(func() { a.all = artifacts.New(a.Home, a.Kept.ID()) })
	return a.all
}
