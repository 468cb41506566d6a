package actors

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"marvin/actors/internal/foreign"
	"marvin/actors/internal/sessionlog"
	"marvin/persistence"
	"marvin/persistence/projects"
	"marvin/persistence/sessions"
)

// Errors returned by [Import].
var (
	ErrUnknownLog = foreign.ErrUnknown
	ErrEmptyLog   = errors.New("it has no messages")
)

// ImportedError means that the log was already imported, as the conversation with this ID.
type ImportedError struct{ ID string }

func (e *ImportedError) Error() string { return "it was imported before, as " + e.ID }

// Imported is the result of an import.
type Imported struct {
	Info    sessions.Info
	By      string // the assistant that wrote the log
	Skipped int    // lines that could not be read
}

// Import stores the conversation from a log of Claude Code, Codex or omp, but runs none of the
// logged calls. The callback removes secret keys from the stored text. The header names the log's
// directory, but the user chooses the working directory when the conversation continues. If an
// existing conversation was imported from the same log, the error is an [*ImportedError].
func Import(home *persistence.Home, file io.Reader, existing []sessions.Info, hide func(string) string) (Imported, error) {
	log, err := foreign.Read(file)
	if err != nil {
		return Imported{}, err
	}
	if len(log.Turns) == 0 {
		return Imported{}, ErrEmptyLog
	}
	header := sessions.Header{}
	if filepath.IsAbs(log.Dir) {
		header.Dir = projects.RealDir(filepath.Clean(log.Dir))
	}
	if log.ID != "" {
		header.Imported = log.By + " " + log.ID
		for _, info := range existing {
			if info.Imported == header.Imported {
				return Imported{}, &ImportedError{ID: info.ID}
			}
		}
	}
	written := sessionlog.New(sessions.New(home), header, "", home.Now)
	var records []sessionlog.Record
	for i := range log.Turns {
		records = append(records, sessionlog.Imported(log, i)...)
	}
	err = written.Add(true, hide, records...)
	id := written.ID()
	if err = errors.Join(err, written.Close()); err != nil {
		return Imported{}, fmt.Errorf("import: %w", err)
	}
	info := sessions.Info{Header: header}
	info.ID, info.Updated, info.Turns = id, log.Turns[len(log.Turns)-1].At, len(log.Turns)
	if info.Updated.IsZero() { // logs of older versions have no times
		info.Updated = home.Now()
	}
	info.First, info.Title = sessionlog.FirstLine(log.Turns[0].Prompt), sessionlog.FirstLine(log.Title)
	return Imported{Info: info, By: log.By, Skipped: log.Skipped}, nil
}
