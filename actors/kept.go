package actors

import (
	"cmp"
	"math"
	"reflect"
	"slices"

	"marvin/actors/internal/prompt"
	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/projects"
	"marvin/persistence/sessions"
	written "marvin/persistence/words"
	"marvin/tools"
)

// Kept is a conversation stored on disk while it runs: messages, round by round, and what its model
// knows.
type Kept struct {
	log      *sessionlog.Log
	before   *sessionlog.Content // what was said earlier; nil where it begins
	terminal string
	entitled bool               // a title was asked for
	named    bool               // a person gave one
	passing  bool               // see KeepAnswer
	titles   func(title string) // hears each title of the conversation; may be nil
}

// Keep begins a conversation that is kept. A name, which may be empty, is what people find
// it by. Nothing is written before something is said.
func Keep(home *persistence.Home, header sessions.Header, name, terminal string) *Kept {
	return &Kept{log: sessionlog.New(sessions.Of(home), header, name, home.Now), terminal: terminal}
}

// KeepAnswer stores a headless run, among the last few of its directory, so that it can be
// continued. Until then it has no id and no undo.
func KeepAnswer(home *persistence.Home, header sessions.Header, terminal string) *Kept {
	return &Kept{log: sessionlog.Answer(sessions.Of(home), header, home.Now), terminal: terminal, passing: true}
}

// lasts says whether the conversation is among those that lists have.
func (k *Kept) lasts() bool { return k != nil && !k.passing }

// Reserved gives a conversation that begins its name, to be let go when it ends.
func (k *Kept) Reserved(name *sessions.Name) *Kept {
	k.log.Reserve(name)
	return k
}

// Titled sets a function that hears each title of the conversation. The function must not
// block.
func (k *Kept) Titled(told func(title string)) *Kept {
	k.titles = told
	return k
}

func (k *Kept) entitle(title string) {
	if k.titles != nil {
		k.titles(title)
	}
}

// Resume continues a conversation. A [sessions.BusyError] says that another process uses it.
func Resume(home *persistence.Home, id, terminal string) (*Kept, error) {
	log, content, err := sessionlog.Open(sessions.Of(home), id, home.Now)
	if err != nil {
		return nil, err
	}
	return (&Kept{log: log, before: content, terminal: terminal}).resolved(), nil
}

// Look reads a conversation in its present state, also while another process uses it. It writes
// nothing.
func Look(home *persistence.Home, id string) (*Kept, error) {
	log, content, err := sessionlog.Look(sessions.Of(home), id, home.Now)
	if err != nil {
		return nil, err
	}
	return (&Kept{log: log, before: content}).resolved(), nil
}

// resolved gives the directory of a stored conversation its real name: an older Marvin stored
// the name of a link, which no rule of private: matches.
func (k *Kept) resolved() *Kept {
	k.before.State.Dir, k.before.Info.Dir = projects.RealDir(k.before.State.Dir), projects.RealDir(k.before.Info.Dir)
	return k
}

// ID names the stored conversation; "" before the first message. It never blocks.
func (k *Kept) ID() string {
	if !k.lasts() {
		return ""
	}
	return k.log.ID()
}

// branch is the branch of git that it is talked on: that of its directory, and without one
// that of where it began.
func (k *Kept) branch(dir string) string { return tools.Branch(cmp.Or(dir, k.log.Dir())) }

// Close releases a conversation that was never opened by a session.
func (k *Kept) Close() error {
	if k == nil {
		return nil
	}
	return k.log.Close()
}

// Lost is why something of the conversation is not on the disk and never will be, once the tree
// ended; nil if all is.
func (k *Kept) Lost() error {
	if k == nil {
		return nil
	}
	return k.log.Lost()
}

// Messages to the recorder about stored conversations.
type (
	// logged is what a turn said since.
	logged struct {
		log     *sessionlog.Log
		records []sessionlog.Record
		written chan<- struct{} // closed once they are on disk or have failed; may be nil
	}
	// logEnded closes one, behind what was said.
	logEnded struct{ log *sessionlog.Log }
)

// recall gives a conversation what it was left with.
func (k *sessionState) recall() {
	kept := k.conversation.Kept
	if kept == nil || kept.before == nil {
		return
	}
	before := kept.before
	k.remember()
	if k.conversation.Policy.Person { // a program adds up what each run cost
		k.usage = k.usage.Plus(before.State.Sums())
	}
	k.turns = min(max(0, before.Info.Turns, before.State.Last), math.MaxInt32) // a turn that a crash cut off did not end
	k.tainted, k.plan = cmp.Or(before.State.Tainted, k.tainted), plan{}
	if kept := before.State.Plan; kept != nil {
		k.plan = plan{is: kept.Is, call: kept.Call}
	}
	k.plans++
	k.untold, k.words, k.conversation.Bound = before.State.Untold, before.State.Words, before.State.Bound
}

// heldBy says what in the messages of a stored conversation is private or from strangers. A log
// that another program or an older Marvin wrote may not say so itself, or not who wrote what.
func heldBy(all []messages.Message) string {
	for _, message := range all {
		if message.Origin.Untrusted() || message.Role == messages.Tool && message.Origin.From == "" && itsOwn(message.Result.Status) {
			return cmp.Or(message.Result.Name, "what was said before")
		}
		if message.Role == messages.User && message.Origin.From == "" {
			return "what was said before"
		}
	}
	return ""
}

// remember gives the session the messages, the system text and the tools of the stored conversation.
func (k *sessionState) remember() {
	before := k.conversation.Kept.before
	k.committed, k.frame, k.offered = before.Messages, before.Frame, before.Tools
	k.undone = before.State.Undone
	k.tainted = cmp.Or(k.tainted, before.State.Tainted, heldBy(before.Messages))
	k.known.AddCall(nil, nil, false, true) // unknown what it wrote
}

// forget drops what the model knows, so that it can know something else.
func (k *sessionState) forget() {
	k.committed, k.seen, k.tainted, k.known = nil, &tools.Stamps{}, k.conversation.Policy.taint(), &tools.KnownHosts{}
	k.frame, k.offered, k.plan, k.undone, k.words, k.sent = prompt.Frame{}, nil, plan{}, nil, nil, sentBeside{}
	k.conversation.Bound = nil
}

// tooLate says of rules on the command line that the conversation keeps others.
func tooLate(given []written.File, frame prompt.Frame) (said []string) {
	for _, file := range given {
		if file.Kind == written.System && frame.Began() && (frame.Rules().Path != file.Name || frame.Rules().Text != file.Text) {
			said = append(said, file.Name+" is for a conversation that begins: this one keeps the rules that it began with.")
		}
	}
	return said
}

// recalled is a turn as a person saw it.
func recalled(registry *tools.Registry, turn sessionlog.Turn) messages.Recalled {
	event := messages.Recalled{At: turn.At, Prompt: turn.Prompt, Outcome: turn.Outcome, Err: turn.Err}
	switch {
	case turn.Running:
		event.Outcome, event.Err = messages.Incomplete, "a Marvin is in this turn"
	case turn.Outcome == "":
		event.Outcome, event.Err = messages.Failed, "Marvin ended unexpectedly in this turn"
	}
	called := map[string]tools.Call{}
	for i, message := range slices.Concat(beforeOnly(turn), turn.Messages) {
		switch message.Role {
		case messages.User:
			if i > 0 && message.Text != turn.Prompt {
				event.Steps = append(event.Steps, messages.RecalledStep{Text: message.Text, Said: true, At: message.At, Pictures: messages.Labels(message.Pictures), Images: message.Pictures})
			} else {
				event.Shown = append(event.Shown, messages.Labels(message.Pictures)...)
				event.Images = append(event.Images, message.Pictures...)
			}
		case messages.Assistant:
			if thought := message.Thought(); message.Text != "" || thought != "" {
				event.Steps = append(event.Steps, messages.RecalledStep{Text: message.Text, Model: message.Model, At: message.At, Thinking: thought, Usage: message.Usage})
			}
			for _, call := range message.Calls {
				called[call.ID] = decoded(registry, call)
			}
		case messages.Tool:
			result := message.Result
			event.Steps = append(event.Steps, messages.RecalledStep{
				Tool: result.Name, Title: called[result.Call].Title, Command: called[result.Call].Whole(), Status: result.Status, Exit: result.Exit, Job: result.Job, Text: messages.Unframe(result.Text),
				At: message.At, Pictures: messages.Labels(result.Pictures), Source: message.Origin.From, Images: result.Pictures,
			})
		}
	}
	return event
}

// beforeOnly returns the messages before a compaction that are not repeated after it.
func beforeOnly(turn sessionlog.Turn) []messages.Message {
	for at := range turn.Before {
		if rest := turn.Before[at:]; len(rest) <= len(turn.Messages) && reflect.DeepEqual(rest, turn.Messages[:len(rest)]) {
			return turn.Before[:at]
		}
	}
	return turn.Before
}

// decoded decodes a stored call. For a call that can no longer be decoded, only the name is known.
func decoded(registry *tools.Registry, call messages.ToolCall) tools.Call {
	if tool, known := registry.Lookup(call.Name); known {
		if as, err := tool.Decode(call.Args); err == nil {
			return as
		}
	}
	return tools.Call{Title: call.Name}
}
