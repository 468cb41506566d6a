package gitpatch

import (
	"bytes"
	"path"
	"strings"
)

// Patch returns the change as a patch. File names are relative to git's working directory. In a
// patch with git's extended header, they are relative to the top of the repository, as git expects.
func (f *File) Patch() string {
	var out strings.Builder
	if f.headed() {
		from := *f
		f = &from
		f.Was, f.Name = path.Join(f.Below, f.Was), path.Join(f.Below, f.Name)
		f.header(&out)
	}
	switch {
	case bytes.Equal(f.Before, f.After):
	case f.Binary():
		f.binary(&out)
	default:
		out.WriteString(f.heads())
		for _, hunk := range f.Hunks() {
			out.WriteString(hunk.Text)
		}
	}
	return out.String()
}
