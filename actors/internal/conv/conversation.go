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

// Conversation says how a conversation begins.
type Conversation struct {
	Choice  Choice
	Named   bool             // the user named it, so no role replaces it
	Effort  providers.Effort // how long models think; "" is as each does by itself
	Dir     string           // working directory, absolute; "" for none
	Profile string
	Policy  Policy
	// Root is what the sandbox lets commands write to: the working directory that the
	// user chose. "" means Dir. A model never changes it.
	Root string

	// Windows says that further front ends may join; see [Client.Window].
	Windows bool
	// Files asks whether coding may be on; nil if there is nothing to ask.
	Files *OfferFiles

	// Bound are directories of [Models.Private] whose words the conversation holds.
	Bound []string

	// Kept is the session on disk that stores the messages; nil stores nothing.
	Kept *StoredSession
	// Spending is what several conversations spend together; nil means one of its own.
	Spending *Spending
	// Intends is called before each call that changes something, also of sub-agents, and may block;
	// may be nil. It must be safe for concurrent use.
	Intends func(tool string, effect tools.Effect)
}

// Running is a conversation as it is now: how it began, what changed since, and what
// belongs to it in this process.
type Running struct {
	Conversation
	Trust Trust // never changed, only replaced
	Hooks *hooks.Set
	Name  string // in this process
	First bool   // it is the first one
	// Life ends when a sub-agent is cancelled, before it gets the message; nil for others.
	Life   context.Context
	Caller Caller // of a sub-agent

	Undo      *UndoLog     // what files held that tools changed; nil keeps nothing
	UndoTurn  string       // the turn of the main conversation
	Artifacts *ArtifactLog // what tools put out beyond what is shown
}

// Begin makes a conversation that begins.
func (config *Setup) Begin(how Conversation, name string, first bool) Running {
	how.Spending = cmp.Or(how.Spending, &Spending{})
	how.Policy = how.Policy.withDefaults()
	how.Policy.Rules = config.Permissions
	how.Root = cmp.Or(how.Root, how.Dir)
	return Running{Conversation: how, Hooks: config.Brought.HooksFor(how.Policy.Delegated), Name: name, First: first}
}

// Caller identifies the call that began a sub-agent; the zero value is none.
type Caller struct {
	Session *actor.PID // of the call
	Name    string     // of the sub-agent, for people
}

// RemoteRunner has tasks done on other machines. Its method waits, so no actor calls it.
type RemoteRunner interface {
	// Do runs a task remotely and reports progress. It returns soon after the context ends, when
	// the work has stopped.
	Do(ctx context.Context, errand RemoteTask, say func(tools.Doing)) tools.Report
}

// RemoteTask is a task on its way.
type RemoteTask struct {
	Call   string // the same for all tasks of one call, and for no other one of any process
	Number int    // of the task in it, from 1
	Task   tools.Task
	Limits Limits // Cost is what all tasks of the call may spend
}

// Audience is where the events of a session go: a front end's feed, the windows of a
// conversation that may have several, or a worker.
type Audience interface {
	Push(messages.Envelope)
	Close()
}

// OfferFiles says that a conversation begins in a directory that is not a project, so that
// the user is asked behind the first answer whether Marvin works on its files.
type OfferFiles struct {
	Place string // the directory, as the user calls it
	Home  bool   // it is the home directory: a yes holds for this conversation only
	// Keep remembers the answer for the next start. It may wait for the disk.
	Keep func(on bool) error
}

// LeftState is how a conversation was left. The zero value says nothing.
type LeftState struct {
	Info    sessions.Info
	Choice  Choice
	Named   bool   // somebody named it
	Effort  string // as people write it; "" if it is not known
	Dir     string
	Root    string // of the sandbox; "" if it is not known
	Profile string
	Coding  bool

	approval messages.Approval
	person   bool
}

// Left is how the conversation was left, the zero value where it begins.
func (k *StoredSession) Left() LeftState {
	if k == nil || k.Before == nil {
		return LeftState{}
	}
	state := k.Before.State
	return LeftState{
		Info: k.Before.Info, Choice: Choice{Provider: state.Provider, Model: state.Model}, Named: state.Named, Effort: state.Effort,
		Dir: state.Dir, Root: state.Root, Profile: state.Profile, Coding: state.Coding, approval: state.Approval, person: state.Person,
	}
}

// Approval is the mode of the resumed conversation, "" for the default. "all" must be chosen again.
// Between an interactive and a headless session, a mode carries over only if it is the default of
// neither.
func (l LeftState) Approval(person bool) messages.Approval {
	switch l.approval {
	case messages.ApprovePlan, messages.ApproveAsk:
		return l.approval
	case messages.ApproveEdits, messages.ApproveAuto:
		if l.person == person {
			return l.approval
		}
	}
	return ""
}

// GoesOn applies the stored state, where the user did not choose otherwise.
func (c *Conversation) GoesOn(left LeftState) {
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

// ParseEffort is the effort that a word means.
func ParseEffort(word string) providers.Effort {
	if word == Auto {
		return ""
	}
	return providers.Effort(word)
}

// Called is the name of a conversation for hooks: the one by which it is kept, or its number.
func (c Running) Called() string { return cmp.Or(c.Kept.ID(), c.Name) }
