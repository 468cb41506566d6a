package conv

import (
	"cmp"
	"context"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/messages"
	"marvin/persistence/sessions"
	"marvin/providers"
	"marvin/tools"
	"marvin/tools/hooks"
)

// Conversation describes how a conversation begins.
type Conversation struct {
	Choice  Choice
	Named   bool             // the user named the model, so no role replaces it
	Effort  providers.Effort // how long models think; "" leaves it to the model
	Dir     string           // working directory, absolute; "" for none
	Profile string
	Policy  Policy
	// Root is the working directory that the user chose; "" means Dir. Sandboxed commands can write
	// to Root, and a model never changes Root.
	Root string

	// SeveralWindows lets further front ends join the conversation; see [Client.Window].
	SeveralWindows bool
	// If Files is set, Marvin asks the user whether to turn on coding mode.
	Files *OfferFiles

	// PrivateDirs lists the private directories that contributed text to the conversation; see
	// [Models.Private].
	PrivateDirs []string

	// Stored is the conversation on disk, or nil if the conversation is not stored.
	Stored *StoredSession
	// Spending counts the cost of all conversations that share one cost limit. If Spending is nil,
	// [Setup.Begin] creates a new counter.
	Spending *Spending
	// BeforeChange, if not nil, is called before each call that changes something, including calls
	// that a sub-agent makes. It can block, and must be safe for concurrent use.
	BeforeChange func(tool string, effect tools.Effect)
}

// LiveConversation is the state of a conversation in progress.
type LiveConversation struct {
	Conversation
	Trust Trust // a Trust is never changed, only replaced
	Hooks *hooks.Set
	Name  string // a name for the running conversation, such as "s1"
	First bool   // whether this is the process's first conversation
	// AgentContext is the context of a sub-agent. It ends as soon as the sub-agent is cancelled,
	// even before the sub-agent receives the cancel message. It is nil in other conversations.
	AgentContext context.Context
	Caller       Caller // the call that began this sub-agent

	Undo      *UndoLog     // the record of changes to files, or nil
	UndoTurn  string       // the id of the main conversation's current turn, for the undo log
	Artifacts *ArtifactLog // tool outputs that are too long to show
}

// Begin returns the state of a new conversation.
func (config *Setup) Begin(how Conversation, name string, first bool) LiveConversation {
	how.Spending = cmp.Or(how.Spending, &Spending{})
	how.Policy = how.Policy.withDefaults()
	how.Policy.Rules = config.Permissions
	how.Root = cmp.Or(how.Root, how.Dir)
	return LiveConversation{Conversation: how, Hooks: config.Brought.HooksFor(how.Policy.FromOtherMarvin), Name: name, First: first}
}

// Caller identifies the call that began a sub-agent. The zero value means that the conversation is
// not a sub-agent.
type Caller struct {
	Session *actor.PID // the session that made the call
	Name    string     // the name of the sub-agent, for display
}

// RemoteRunner runs tasks on other machines. Actors must not call Do, because it waits for the task
// to end.
type RemoteRunner interface {
	// Do runs a task and passes progress reports to the given function. When ctx ends, Do stops the
	// task and returns soon afterward.
	Do(ctx context.Context, errand RemoteTask, progress func(tools.TaskProgress)) tools.Report
}

// RemoteTask is a task for another machine.
type RemoteTask struct {
	Call   string // the name of the call, unique across all processes
	Number int    // the 1-based index of the task in the call
	Task   tools.Task
	Limits Limits // Limits.Cost applies to all tasks of the call together
}

// Audience receives the events of a session. The audience is one front end, several windows, or the
// caller of a sub-agent.
type Audience interface {
	Push(messages.Envelope)
	Close()
}

// OfferFiles describes a working directory that is not a project. After the first answer, Marvin
// asks the user for permission to work on the files of the directory.
type OfferFiles struct {
	Place string // the directory, for display
	Home  bool   // whether Place is the home directory; if so, the answer "always" is not offered
	// Keep stores the answer for later runs. Keep can block on disk I/O.
	Keep func(on bool) error
}

// StoredSettings is the state of a conversation as stored on disk.
type StoredSettings struct {
	Info    sessions.Info
	Choice  Choice
	Named   bool   // the user named the model
	Effort  string // an effort, or "auto"; "" if unknown
	Dir     string
	Root    string // the root of the sandbox; "" if unknown
	Profile string
	Coding  bool

	approval messages.Approval
	person   bool
}

// StoredState returns the stored state, or the zero value for a new conversation.
func (k *StoredSession) StoredState() StoredSettings {
	if k == nil || k.Before == nil {
		return StoredSettings{}
	}
	state := k.Before.State
	return StoredSettings{
		Info: k.Before.Info, Choice: Choice{Provider: state.Provider, Model: state.Model}, Named: state.Named, Effort: state.Effort,
		Dir: state.Dir, Root: state.Root, Profile: state.Profile, Coding: state.Coding, approval: state.Approval, person: state.Person,
	}
}

// Approval returns the approval mode for a resumed conversation, or "" for the default. The mode
// "all" is never restored, so the user must choose it again. The default modes, "edits" with a user
// and "auto" without, are restored only if both conversations have a user or neither does.
func (l StoredSettings) Approval(hasUser bool) messages.Approval {
	switch l.approval {
	case messages.ApprovePlan, messages.ApproveAsk:
		return l.approval
	case messages.ApproveEdits, messages.ApproveAuto:
		if l.person == hasUser {
			return l.approval
		}
	}
	return ""
}

// Restore applies the profile, modes and effort of a stored conversation. An empty profile, effort
// or approval mode leaves the current value unchanged.
func (c *Conversation) Restore(left StoredSettings) {
	if left.Profile != "" {
		c.Profile = left.Profile
	}
	c.Policy.Coding, c.Files = left.Coding, nil
	if mode := left.Approval(c.Policy.Person); mode != "" {
		c.Policy.Approval = mode
	}
	if left.Effort != "" {
		c.Named, c.Effort = left.Named, ParseEffort(left.Effort)
	}
}

// ParseEffort converts a word to an effort. It converts "auto" to "".
func ParseEffort(word string) providers.Effort {
	if word == AutoEffort {
		return ""
	}
	return providers.Effort(word)
}

// HookName returns the name that hooks see. It is the id of the conversation, or c.Name if the
// conversation has no id.
func (c LiveConversation) HookName() string { return cmp.Or(c.Stored.ID(), c.Name) }
