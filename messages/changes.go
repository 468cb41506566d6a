package messages

// ListChanges asks for a [Changes].
type ListChanges struct{}

// Changes are the files that the conversation changed, as they are now against what they held
// before its first change of them.
type Changes struct {
	Files   []ChangedFile `json:"files"`
	Added   int           `json:"added"` // lines, of all files
	Removed int           `json:"removed"`
	Notes   []string      `json:"notes,omitempty"` // what else is to be known about them
}

// ChangedFile is one of them.
type ChangedFile struct {
	Path    string `json:"path"`          // absolute
	Name    string `json:"name"`          // from the directory of the conversation, or absolute where it lies outside
	Was     string `json:"was,omitempty"` // the earlier name of a file that was moved
	New     bool   `json:"new,omitempty"`
	Deleted bool   `json:"deleted,omitempty"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
	// Patch is the change as git apply takes it, "" where Missing says why there is none.
	Patch   string `json:"patch,omitempty"`
	Missing string `json:"missing,omitempty"`
	// Hunks are the parts that can be taken back alone. A change that has no lines, as of a
	// mode, is one part.
	Hunks []string `json:"hunks,omitempty"`
	Seen  string   `json:"seen,omitempty"` // names the change as it is shown, for [TakeBack]
	// Refused says why nothing of it can be taken back.
	Refused string `json:"refused,omitempty"`
}

// TakeBack takes one part of a change back, as [Changes] listed it. A [Notice] says what came
// of it, and a new [Changes] what is left. [Undo] with Redo does it again.
type TakeBack struct {
	Path string `json:"path"`
	Hunk int    `json:"hunk"` // from 1
	Seen string `json:"seen"`
}
