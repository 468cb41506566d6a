package actors

import (
	"marvin/actors/internal/conv"
	"marvin/actors/internal/disclosure"
	"marvin/actors/internal/mcpservers"
	"marvin/actors/internal/session"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// The types that configure a tree and open a conversation.
type (
	Config        = conv.Config
	ContextLimits = conv.ContextLimits
	Tuning        = conv.Tuning
	Notifier      = conv.Notifier
	Alarms        = conv.Alarms
	Extensions    = conv.Extensions
	Reread        = conv.FileContents
	Models        = conv.Models
	Choice        = conv.Choice
	PrivateRule   = conv.PrivateRule
	RemoteRunner  = conv.RemoteRunner
	RemoteTask    = conv.RemoteTask
	Conversation  = conv.Conversation
	Policy        = conv.Policy
	Limits        = conv.Limits
	Spending      = conv.Spending
	OfferFiles    = conv.OfferFiles
	StoredSession = conv.StoredSession
	LeftState     = conv.StoredSettings
)

// ServerState describes an MCP server.
type ServerState = mcpservers.State

// States of an MCP server that is not running.
const (
	ServerOff        = mcpservers.ServerOff
	ServerNotStarted = mcpservers.ServerNotStarted
)

// SentTurn lists the data that was sent in one turn.
type SentTurn = disclosure.SentTurn

// StoreSession begins a conversation that is stored; see [conv.StoreSession].
func StoreSession(home *persistence.Home, header sessions.Header, name, terminal string) *StoredSession {
	return conv.StoreSession(home, header, name, terminal)
}

// StoreAnswer stores a headless run; see [conv.StoreAnswer].
func StoreAnswer(home *persistence.Home, header sessions.Header, terminal string) *StoredSession {
	return conv.StoreAnswer(home, header, terminal)
}

// Resume continues a stored conversation; see [conv.Resume].
func Resume(home *persistence.Home, id, terminal string) (*StoredSession, error) {
	return conv.Resume(home, id, terminal)
}

// Look reads a stored conversation, even while another process uses it; see [conv.Look].
func Look(home *persistence.Home, id string) (*StoredSession, error) { return conv.Look(home, id) }

// ReadSent returns one SentTurn for each turn of a stored conversation; see [disclosure.ReadSent].
func ReadSent(home *persistence.Home, info sessions.Info, registry *toolbox.Registry) ([]SentTurn, error) {
	return disclosure.ReadSent(home, info, registry)
}

// SentTable formats the result of ReadSent as text; see [disclosure.SentTable].
func SentTable(turns []SentTurn) string { return disclosure.SentTable(turns) }

// Changes returns the changes that a stored conversation made in its directory; see
// [session.Changes].
func Changes(home *persistence.Home, info sessions.Info, env tools.Env) (messages.Changes, error) {
	return session.Changes(home, info, env)
}
