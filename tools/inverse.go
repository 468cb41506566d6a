package tools

import (
	"encoding/json"

	"marvin/persistence/personal"
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
		return Lasting("what takes it back could not be written down")
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
		return Lasting("what it changed could not be written down")
	}
	return TakenBackBy(PutBackName, map[string]string{"edit": string(encoded)})
}

// Lasting says why nothing takes a call back.
func Lasting(why string) *Inverse { return &Inverse{Lasts: why} }
