package recorder

import (
	"marvin/actors/internal/sessionlog"
	"marvin/persistence/artifacts"
)

type (
	// Logged is what a turn said since.
	Logged struct {
		Log     *sessionlog.Log
		Records []sessionlog.Record
		Written chan<- struct{} // closed once they are on disk or have failed; may be nil
	}
	// LogEnded closes one, behind what was said.
	LogEnded struct{ Log *sessionlog.Log }
)

// ArtifactsEnded has the recorder remove artifacts.
type ArtifactsEnded struct{ Artifacts *artifacts.Store }
