package session

import (
	"cmp"
	"math"

	"marvin/actors/internal/call"
	"marvin/actors/internal/conv"
	"marvin/actors/internal/prompt"
	"marvin/messages"
	written "marvin/persistence/words"
	"marvin/tools"
)

// recall gives a conversation what it was left with.
func (k *State) recall() {
	kept := k.conversation.Kept
	if kept == nil || kept.Before == nil {
		return
	}
	before := kept.Before
	k.remember()
	if k.conversation.Policy.Person { // a program adds up what each run cost
		k.usage = k.usage.Plus(before.State.Sums())
	}
	k.turns = min(max(0, before.Info.Turns, before.State.Last), math.MaxInt32) // a turn that a crash cut off did not end
	k.tainted, k.plan = cmp.Or(before.State.Tainted, k.tainted), conv.Plan{}
	if kept := before.State.Plan; kept != nil {
		k.plan = conv.Plan{Is: kept.Is, Call: kept.Call}
	}
	k.plans++
	k.untold, k.words, k.conversation.Bound = before.State.Untold, before.State.Words, before.State.Bound
}

// remember gives the session the messages, the system text and the tools of the stored conversation.
func (k *State) remember() {
	before := k.conversation.Kept.Before
	k.committed, k.frame, k.offered, k.erased = before.Messages, before.Frame, before.Tools, 0
	k.undone = before.State.Undone
	k.tainted = cmp.Or(k.tainted, before.State.Tainted, heldBy(before.Messages))
	k.known.AddCall(nil, nil, false, true) // unknown what it wrote
}

// forget drops what the model knows, so that it can know something else.
func (k *State) forget() {
	k.committed, k.seen, k.tainted, k.known = nil, &tools.Stamps{}, k.conversation.Policy.Taint(), &tools.KnownHosts{}
	k.frame, k.offered, k.plan, k.undone, k.words, k.sent = prompt.Frame{}, nil, conv.Plan{}, nil, nil, sentBeside{}
	k.conversation.Bound = nil
}

// heldBy says what in the messages of a stored conversation is private or from strangers. A log
// that another program or an older Marvin wrote may not say so itself, or not who wrote what.
func heldBy(all []messages.Message) string {
	for _, message := range all {
		if message.Origin.Untrusted() || message.Role == messages.Tool && message.Origin.From == "" && call.ToolRan(message.Result.Status) {
			return cmp.Or(message.Result.Name, "what was said before")
		}
		if message.Role == messages.User && message.Origin.From == "" {
			return "what was said before"
		}
	}
	return ""
}

// tooLate says of rules on the command line that the conversation keeps others.
func tooLate(given []written.File, frame prompt.Frame) (said []string) {
	for _, file := range given {
		if file.Kind == written.System && frame.Began() && (frame.Rules().Path != file.Name || frame.Rules().Text != file.Text) {
			said = append(said, file.Name+" applies only to new conversations: this one keeps its first rules.")
		}
	}
	return said
}
