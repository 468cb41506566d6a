package gitpatch

import (
	"bytes"
	"path"
	"strings"
)

// Patch returns the change as a patch. The patch has git's extended header only if necessary. With
// this header, git reads names relative to the top of the repository. Without this header, git
// reads names relative to its working directory. Patch writes the names accordingly.
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
