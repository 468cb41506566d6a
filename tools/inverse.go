package tools

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"marvin/persistence/personal"
	"marvin/tools/internal/language"
)

// Inverse names the call that undoes another call, or says why nothing can undo it. File changes
// need no Inverse.
type Inverse struct {
	Tool  string          // the tool that undoes the call
	Args  json.RawMessage // the arguments for that tool
	Lasts string          // the reason why nothing can undo the call; "" if Tool undoes it
}

// UndoneBy returns the [Inverse] that calls the given tool. The second argument is a struct of
// the tool's parameters, or a map.
func UndoneBy(tool string, args any) *Inverse {
	encoded, err := json.Marshal(args)
	if err != nil {
		return CannotUndo("Marvin could not store what is needed to undo this call")
	}
	return &Inverse{Tool: tool, Args: encoded}
}

// PutBackName is the tool that undoes a [personal.Edit]. Only /undo can use it, through the method
// WithUndoing of the registry.
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

// CannotUndo returns the [Inverse] for a call that cannot be undone. Its argument is the reason.
func CannotUndo(why string) *Inverse { return &Inverse{Lasts: why} }

// FileChange is the change that a tool is about to make to one file.
type FileChange struct {
	Dir, Name             string // the directory, absolute and without links, and the name of the file in it
	Path                  string // the path as tools name it, absolute
	Before, After         []byte // nil if the file does not exist at that time
	BeforeMode, AfterMode fs.FileMode
	Made                  []string // missing directories in Dir that are created for the file
}

// Keeper saves the content of files before a call changes them, so that the user can undo the call.
// A Keeper reports its own failures to the user, and the call continues.
type Keeper interface {
	// Keep is called before the files change. If none of the files changed, the caller then calls
	// the returned function.
	Keep(changes []FileChange) (failed func())
}

// Languages gives a call access to the language servers.
type Languages interface {
	// ReportChanges reports the changes of the call to the language servers. The servers check the
	// changes after the call.
	ReportChanges(changes []FileChange)
	// Server returns a server for the file at a real path, and starts the server if necessary. If
	// there is no server for the file, the error wraps [ErrNoLanguage].
	Server(ctx context.Context, path string, say func(line string)) (*LanguageServer, error)
}

// LanguageServer is a running server.
type LanguageServer = language.Session

// ErrNoLanguage means that no installed language server supports a file.
var ErrNoLanguage = errors.New("there is no language server")
