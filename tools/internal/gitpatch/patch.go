package gitpatch

import (
	"bytes"
	"path"
	"strings"
)

// Patch returns the change as a patch. It has git's extended header only if necessary. In a
// directory below the top of a repository, git resolves names after such a header from the top, and
// other names from the directory.
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
