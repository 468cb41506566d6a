package actors

import (
	"marvin/actors/internal/session"
	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
	"marvin/tools/toolbox"
)

// Transcript is a stored conversation that was opened for reading.
type Transcript struct {
	Info     sessions.Info
	Turns    []messages.Recalled
	Problems []string // parts that could not be read
}

// ReadTranscript reads the current branch, even while another process uses the conversation. The
// registry serves only to describe tool calls.
func ReadTranscript(home *persistence.Home, info sessions.Info, registry *toolbox.Registry) (Transcript, error) {
	return ReadBranch(home, info, 0, registry)
}

// ReadBranch reads the branch that ends at the given entry. [Branches] returns the entry numbers.
// If entry is 0, ReadBranch reads the current branch.
func ReadBranch(home *persistence.Home, info sessions.Info, entry int64, registry *toolbox.Registry) (Transcript, error) {
	content, err := sessionlog.ReadTo(sessions.New(home), info, entry)
	if err != nil {
		return Transcript{}, err
	}
	told := Transcript{Info: info, Problems: content.Problems}
	for _, turn := range content.Turns {
		told.Turns = append(told.Turns, session.Recalled(registry, turn))
	}
	return told, nil
}

// Branches returns the turns of all branches of a conversation, even while another process uses the
// conversation.
func Branches(home *persistence.Home, info sessions.Info) (messages.Tree, error) {
	return sessionlog.Tree(sessions.New(home), info.ID, -1)
}

// Query searches the prompts and answers of stored conversations, but not tool results. It is safe
// for concurrent use and must be closed.
type Query = sessionlog.Query

// SearchResult describes a message that contains all words of the query. If a conversation has
// several such messages, SearchResult describes the last.
type SearchResult = sessionlog.Found

// NewQuery makes a query from words separated by spaces. The search ignores case.
func NewQuery(home *persistence.Home, words string) *Query {
	return sessionlog.NewQuery(sessions.New(home), words)
}
