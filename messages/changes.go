package messages

// ListChanges asks for a [Changes].
type ListChanges struct{}

// Changes contains the files that the conversation changed. Each entry compares the present
// contents of a file with the contents before the conversation's first change.
type Changes struct {
	Files   []ChangedFile `json:"files"`
	Added   int           `json:"added"` // lines added in all files
	Removed int           `json:"removed"`
	Notes   []string      `json:"notes,omitempty"` // remarks on the changes as a whole
}

// ChangedFile describes the change to one file.
type ChangedFile struct {
	Path    string `json:"path"`          // absolute
	Name    string `json:"name"`          // relative to the conversation's directory, or absolute if the file is outside it
	Was     string `json:"was,omitempty"` // the earlier name of a file that was moved
	New     bool   `json:"new,omitempty"`
	Deleted bool   `json:"deleted,omitempty"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
	// Patch is the change as input for "git apply". If Patch is "", Missing gives the reason.
	Patch   string `json:"patch,omitempty"`
	Missing string `json:"missing,omitempty"`
	// Hunks are the parts of the change. [TakeBack] undoes one part. A change without lines, such
	// as a new file mode, is one part.
	Hunks []string `json:"hunks,omitempty"`
	Seen  string   `json:"seen,omitempty"` // identifies the change; repeated in [TakeBack.Seen]
	// Refused is the reason why no part of the change can be undone.
	Refused string `json:"refused,omitempty"`
}

// TakeBack undoes one element of [ChangedFile.Hunks]. A [Notice] reports the outcome, and a new
// [Changes] lists the remaining hunks. An [Undo] with Redo set applies the hunk again.
type TakeBack struct {
	Path string `json:"path"`
	Hunk int    `json:"hunk"` // from 1
	Seen string `json:"seen"`
}
