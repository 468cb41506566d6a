package session

import (
	"slices"
	"strings"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/recorder"
	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// keeping is the part of a session that writes the conversation to disk and shows resumed
// conversations.
type keeping struct {
	*emitter
	config   *conv.Setup
	recorder *actor.PID
}

// createUndoLog creates the undo log of a conversation that has a user or appears in lists of
// conversations. A sub-agent never gets an undo log.
func (k *keeping) createUndoLog() {
	begin := &k.state.conversation
	if !begin.Policy.Agent && (begin.Policy.Person || begin.Stored.Listed()) {
		begin.Undo = &conv.UndoLog{Home: k.config.Home, Kept: begin.Stored}
	}
}

// artifacts creates the artifact log of the conversation. A sub-agent uses its caller's log.
func (k *keeping) artifacts() {
	begin := &k.state.conversation
	if !begin.Policy.Agent {
		begin.Artifacts = &conv.ArtifactLog{Home: k.config.Home, Kept: begin.Stored}
	}
}

// closeArtifacts deletes the conversation's temporary artifacts.
func (k *keeping) closeArtifacts(c actor.Context) {
	if artifacts := k.state.conversation.Artifacts.Get(); !k.state.conversation.Policy.Agent && artifacts.Temporary() {
		c.Send(k.recorder, recorder.ArtifactsEnded{Artifacts: artifacts})
	}
}

func (k *keeping) log(c actor.Context, record sessionlog.Record) {
	if kept := k.state.conversation.Stored; kept != nil {
		c.Send(k.recorder, recorder.Logged{Log: kept.Log, Records: []sessionlog.Record{record}})
	}
}

// onDisk limits how long a reader waits for earlier writes. Without this limit a reader would wait
// forever if the disk hangs, or if the recorder crashed and forgot the reader.
const onDisk = 2 * time.Second

// flushed returns a function that waits until all earlier records are on disk, or until a timeout.
// A task calls that function before it reads the log.
func (k *keeping) flushed(c actor.Context) (wait func()) {
	root, writer := c.ActorSystem().Root, k.recorder
	return func() { _ = root.RequestFuture(writer, recorder.Flush{}, onDisk).Wait() }
}

// closeLog asks the recorder to close the conversation's log. The recorder writes pending records
// first.
func (k *keeping) closeLog(c actor.Context) {
	if kept := k.state.conversation.Stored; kept != nil {
		c.Send(k.recorder, recorder.LogEnded{Log: kept.Log})
	}
}

func (k *keeping) startOver(c actor.Context) {
	k.state.forget()
	k.closeArtifacts(c)
	k.closeLog(c)
	if kept := k.state.conversation.Stored; kept != nil {
		k.state.conversation.Stored = &conv.StoredSession{Log: kept.Log.Next(), Terminal: kept.Terminal, Passing: kept.Passing}
	}
	k.createUndoLog()
	k.artifacts()
}

// showResumed tells the user which conversation continues. If showTurns is true, showResumed also
// shows the earlier turns.
func (k *keeping) showResumed(c actor.Context, showTurns bool) {
	kept := k.state.conversation.Stored
	if kept == nil || kept.Before == nil {
		return
	}
	before := kept.Before
	if showTurns {
		k.showEarlierTurns()
	}
	k.tell(messages.Resumed{ID: kept.ID(), Title: before.Info.DisplayName(), Turns: before.Info.Turns, Left: before.Info.Updated, Earlier: before.Earlier, From: before.Info.ForkedFrom()})
	if !before.Partial { // otherwise, continueWhole reports the problems
		k.problems(c)
	}
}

func (k *keeping) problems(c actor.Context) {
	before := k.state.conversation.Stored.Before
	for _, problem := range slices.Concat(tooLate(k.config.Words.Given, k.state.frame), goneTools(k.config.Tools.Snapshot(), before), before.Problems) {
		k.tell(messages.Notice{Level: messages.Warning, Text: problem})
	}
	for _, call := range before.Unknown {
		k.tell(messages.Notice{Level: messages.Warning, Text: "Marvin ended while " + call.Name + " was running; its outcome is unknown. Check before repeating it."})
	}
	if before.Open { // recorded calls are not reported again
		k.log(c, sessionlog.UnfinishedCallsRecord(before.Unknown))
	}
}

// goneTools returns a warning that names the tools that no longer exist, or nil if there are none.
// It checks the tools that were sent to the model and the tools that the model has called.
func goneTools(registry *toolbox.Registry, before *sessionlog.Content) (said []string) {
	var gone []string
	miss := func(name string) {
		if _, there := registry.Lookup(name); !there && !slices.Contains(gone, tools.Visible(name)) {
			gone = append(gone, tools.Visible(name))
		}
	}
	for _, spec := range before.Tools {
		miss(spec.Name)
	}
	for _, message := range before.Messages {
		if result := message.Result; message.Role == messages.Tool && result.Status == messages.OK { // failed calls can name tools that never existed
			miss(result.Name)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return []string{"This conversation had tools that no longer exist: " + strings.Join(gone, ", ") + ". The model gets an error if it calls one."}
}

func (k *keeping) showEarlierTurns() {
	before := k.state.conversation.Stored.Before
	if k.state.conversation.Policy.Person {
		for _, turn := range before.Turns {
			k.tell(Recalled(k.config.Tools.Snapshot(), turn))
		}
	}
	if plan := before.State.Plan; plan != nil && len(plan.Is.Steps) > 0 {
		k.tell(messages.PlanChanged{Plan: plan.Is})
	}
}
