package tools

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"marvin/persistence/personal"
	"marvin/tools/internal/language"
)

// Inverse is how a call is taken back that did not write files of the project, which are
// taken back without it: by another call, or not at all.
type Inverse struct {
	Tool  string          // the tool that takes it back
	Args  json.RawMessage // what it is called with
	Lasts string          // or else why nothing does
}

// TakenBackBy says that a call of a tool takes this one back. Args are a struct of its
// parameters, or a map.
func TakenBackBy(tool string, args any) *Inverse {
	encoded, err := json.Marshal(args)
	if err != nil {
		return Lasting("Marvin could not record how to undo it")
	}
	return &Inverse{Tool: tool, Args: encoded}
}

// PutBackName is the tool that puts back what an [personal.Edit] changed. It is known to
// /undo only, see [Registry.Undoing].
const PutBackName = "put_back"

// TakenBack says that a change of a document of a profile is put back.
func TakenBack(edit personal.Edit) *Inverse {
	if edit.Document == "" {
		return nil // nothing was noted: what tools/undo says of the tool counts
	}
	encoded, err := json.Marshal(edit)
	if err != nil {
		return Lasting("Marvin could not record its changes")
	}
	return TakenBackBy(PutBackName, map[string]string{"edit": string(encoded)})
}

// Lasting says why nothing takes a call back.
func Lasting(why string) *Inverse { return &Inverse{Lasts: why} }

// FileChange is what a tool is about to do to one file.
type FileChange struct {
	Dir, Name             string // the directory, absolute and free of links, and the file in it
	Path                  string // as tools call it, absolute
	Before, After         []byte // nil if there was, or will be, no file
	BeforeMode, AfterMode fs.FileMode
	Made                  []string // directories that are made for it, in Dir
}

// Keeper keeps the content of files before a call changes them, so that the user can undo that. It
// never refuses: a failure is reported to the user.
type Keeper interface {
	// Keep is called before the files change. The returned function is called if none of them did.
	Keep(changes []FileChange) (failed func())
}

// Languages are the language servers that a call may ask, and be asked by.
type Languages interface {
	// Wrote notes what the call changed, about which servers are asked when it is over.
	Wrote(changes []FileChange)
	// Server returns a server for a file, by its real path, and starts it if necessary. The error
	// wraps [ErrNoLanguage] if there is none.
	Server(ctx context.Context, path string, say func(line string)) (*LanguageServer, error)
}

// LanguageServer is a running server.
type LanguageServer = language.Session

// ErrNoLanguage means that no language server that is installed knows a file.
var ErrNoLanguage = errors.New("there is no language server")
