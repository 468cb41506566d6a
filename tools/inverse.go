package tools

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"marvin/persistence/personal"
	"marvin/tools/internal/language"
)

// Inverse describes the call that undoes another call, or says why nothing can undo that call. File
// changes need no Inverse.
type Inverse struct {
	Tool  string          // the tool that undoes the call
	Args  json.RawMessage // the arguments for Tool
	Lasts string          // the reason why nothing can undo the call; "" if a tool undoes the call
}

// UndoneBy returns an [Inverse] with the given tool and arguments. The arguments are a map, or a
// struct with the tool's parameters.
func UndoneBy(tool string, args any) *Inverse {
	encoded, err := json.Marshal(args)
	if err != nil {
		return CannotUndo("Marvin could not store what is needed to undo this call")
	}
	return &Inverse{Tool: tool, Args: encoded}
}

// PutBackName is the name of the tool that undoes a [personal.Edit]. Only /undo can use this tool,
// through the registry's WithUndoing method.
const PutBackName = "put_back"

// InverseOf returns the inverse of a change to one of a profile's documents.
func InverseOf(edit personal.Edit) *Inverse {
	if edit.Document == "" {
		return nil // nothing was recorded, so the tool's entry in tools/undo applies
	}
	encoded, err := json.Marshal(edit)
	if err != nil {
		return CannotUndo("Marvin could not store what this call changed")
	}
	return UndoneBy(PutBackName, map[string]string{"edit": string(encoded)})
}

// CannotUndo returns an [Inverse] that says why a call cannot be undone.
func CannotUndo(why string) *Inverse { return &Inverse{Lasts: why} }

// FileChange is a change that a call makes to one file.
type FileChange struct {
	Dir, Name             string // Dir is a real path; Name is the file's path relative to Dir
	Path                  string // the absolute path that tools use for the file
	Before, After         []byte // content before and after the change; nil if there is no file
	BeforeMode, AfterMode fs.FileMode
	Made                  []string // directories that the change creates, relative to Dir
}

// Keeper saves the earlier content of files that a call changes, so that the user can undo the
// call. A Keeper reports its own failures to the user, and the call continues.
type Keeper interface {
	// Keep saves the changes, before or after the caller makes them. If the caller cannot make
	// changes that Keep has already saved, the caller calls the returned function.
	Keep(changes []FileChange) (failed func())
}

// Languages gives a call access to the language servers.
type Languages interface {
	// ReportChanges tells the language servers which files the call changed. The servers check
	// these files after the call.
	ReportChanges(changes []FileChange)
	// Server returns a server for a file, and starts the server if necessary. The path must contain
	// no symbolic links. The callback receives a message for the user if the server starts slowly.
	// If no server supports the file, the error wraps [ErrNoLanguage].
	Server(ctx context.Context, path string, say func(line string)) (*LanguageServer, error)
}

// LanguageServer is a running language server.
type LanguageServer = language.Session

// ErrNoLanguage means that no installed language server supports a file.
var ErrNoLanguage = errors.New("there is no language server")
