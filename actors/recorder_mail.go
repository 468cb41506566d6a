package actors

import (
	"marvin/actors/internal/sessionlog"
	"marvin/persistence/artifacts"
)

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

// artifactsEnded has the recorder remove artifacts.
type artifactsEnded struct{ artifacts *artifacts.Store }
