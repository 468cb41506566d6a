package actors

import (
	"sync"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/persistence"
	"marvin/tools"
)

// artifactLog is what the tools of a conversation and its sub-agents put out beyond what a
// model reads at once: with the conversation that is kept, or else as long as it lasts. It
// is safe for concurrent use; nil keeps nothing.
type artifactLog struct {
	home *persistence.Home
	kept *Kept
	once sync.Once
	all  *persistence.Artifacts
}

func (a *artifactLog) get() *persistence.Artifacts {
	if a == nil {
		return nil
	}
	a.once.Do(func() { a.all = a.home.Artifacts(a.kept.ID()) })
	return a.all
}

// keepsArtifacts begins the log of a conversation. A sub-agent has that of its caller.
func (s *session) keepsArtifacts() {
	begin := &s.keep.conversation
	if !begin.Policy.Agent {
		begin.artifacts = &artifactLog{home: s.config.Home, kept: begin.Kept}
	}
}

// closeArtifacts takes away what goes with the conversation.
func (s *session) closeArtifacts(c actor.Context) {
	if artifacts := s.keep.conversation.artifacts.get(); !s.keep.conversation.Policy.Agent && artifacts.Temporary() {
		c.Send(s.recorder, artifactsEnded{artifacts: artifacts})
	}
}

// artifactsEnded has the recorder remove artifacts.
type artifactsEnded struct{ artifacts *persistence.Artifacts }

// whole brings a result within its limits, on the goroutine of the call. What it would
// lose is kept as an artifact.
func (w *worker) whole() func(text string) string {
	foreign, artifacts := w.decoded.Tool.Foreign(), w.conversation.artifacts.get()
	about := persistence.Artifact{Tool: w.call.Name, Title: tools.Visible(w.title), Foreign: foreign}
	return func(text string) string {
		if foreign {
			text = tools.Unhidden(text)
		}
		return tools.ResultLimits.KeepWhole(artifacts, about, text)
	}
}
