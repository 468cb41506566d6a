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

// recall restores the state of a stored conversation.
func (k *State) recall() {
	kept := k.conversation.Stored
	if kept == nil || kept.Before == nil {
		return
	}
	before := kept.Before
	k.remember()
	if k.conversation.Policy.Person { // otherwise, the caller adds up the costs of its runs
		k.usage = k.usage.Plus(before.State.Sums())
	}
	// State.Last also counts a turn that a crash interrupted.
	k.turns = min(max(0, before.Info.Turns, before.State.Last), math.MaxInt32)
	k.tainted, k.plan = cmp.Or(before.State.Tainted, k.tainted), conv.Plan{}
	if kept := before.State.Plan; kept != nil {
		k.plan = conv.Plan{Is: kept.Is, Call: kept.Call}
	}
	k.plans++
	k.untold, k.words, k.conversation.PrivateDirs = before.State.Untold, before.State.Words, before.State.Bound
}

// remember loads the stored conversation's messages, system text and tools.
func (k *State) remember() {
	before := k.conversation.Stored.Before
	k.committed, k.frame, k.offered, k.erased = before.Messages, before.Frame, before.Tools, 0
	k.undone = before.State.Undone
	k.tainted = cmp.Or(k.tainted, before.State.Tainted, heldBy(before.Messages))
	k.known.AddCall(nil, nil, false, true) // an earlier call may have written a file or run a command
}

// forget deletes everything that the model knows about the conversation.
func (k *State) forget() {
	k.committed, k.seen, k.tainted, k.known = nil, &tools.Stamps{}, k.conversation.Policy.Taint(), &tools.KnownHosts{}
	k.frame, k.offered, k.plan, k.undone, k.words, k.sent = prompt.Frame{}, nil, conv.Plan{}, nil, nil, sentBeside{}
	k.conversation.PrivateDirs = nil
}

// heldBy returns the source of the first untrusted message, or "". A prompt or
// tool result without a recorded author is untrusted. Other programs and older versions of Marvin
// do not always record authors.
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

// tooLate checks the rule files that the user gave on the command line. It returns a notice for
// each file that has no effect because the conversation began with other rules.
func tooLate(given []written.File, frame prompt.Frame) (said []string) {
	for _, file := range given {
		if file.Kind == written.System && frame.Began() && (frame.Rules().Path != file.Name || frame.Rules().Text != file.Text) {
			said = append(said, file.Name+" applies only to new conversations, because this one keeps the rules it began with.")
		}
	}
	return said
}
