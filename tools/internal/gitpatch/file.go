package gitpatch

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"marvin/tools/internal/text"
)

// File is the change to one file. Names are slash-separated. Before is nil if the file is new, and
// After is nil if it was deleted.
type File struct {
	Was, Name             string // the old and new names, which differ only if the file was moved
	Below                 string // the base directory of Was and Name, below the repository's top
	Before, After         []byte
	BeforeMode, AfterMode fs.FileMode
}

const nowhere = "/dev/null"

// Same reports whether the patch would be empty.
func (f *File) Same() bool {
	return f.Was == f.Name && (f.Before == nil) == (f.After == nil) && bytes.Equal(f.Before, f.After) && !f.remoded()
}

// Binary reports whether at least one of Before and After is not text.
func (f *File) Binary() bool { return text.Foreign(f.Before) != "" || text.Foreign(f.After) != "" }

func (f *File) remoded() bool {
	return f.Before != nil && f.After != nil && mode(f.BeforeMode) != mode(f.AfterMode)
}

// mode returns a file mode in git's form. Git records only the executable bit.
func mode(of fs.FileMode) string {
	if of&0o100 != 0 {
		return "100755"
	}
	return "100644"
}

// headed returns true if the patch needs git's extended header.
func (f *File) headed() bool {
	empty := f.Before != nil && len(f.Before) == 0 || f.After != nil && len(f.After) == 0
	special := f.Before == nil && mode(f.AfterMode) != mode(0) || f.After == nil && mode(f.BeforeMode) != mode(0)
	return empty || special || f.remoded() || f.Was != f.Name || f.Binary()
}

func (f *File) header(out *strings.Builder) {
	fmt.Fprintf(out, "diff --git %s %s\n", quoted("a/"+f.Was), quoted("b/"+f.Name))
	switch {
	case f.Before == nil:
		fmt.Fprintf(out, "new file mode %s\n", mode(f.AfterMode))
	case f.After == nil:
		fmt.Fprintf(out, "deleted file mode %s\n", mode(f.BeforeMode))
	case f.remoded():
		fmt.Fprintf(out, "old mode %s\nnew mode %s\n", mode(f.BeforeMode), mode(f.AfterMode))
	}
	if f.Was != f.Name {
		fmt.Fprintf(out, "rename from %s\nrename to %s\n", quoted(f.Was), quoted(f.Name))
	}
}

// heads returns the "---" and "+++" lines, which name the files.
func (f *File) heads() string {
	from, to := named("a/"+f.Was), named("b/"+f.Name)
	if f.Before == nil {
		from = nowhere
	}
	if f.After == nil {
		to = nowhere
	}
	return "--- " + from + "\n+++ " + to + "\n"
}

// named formats a name for the --- and +++ lines. It quotes names with special characters, and
// appends a tab to other names that contain a space.
func named(name string) string {
	if at := quoted(name); at != name || !strings.Contains(name, " ") {
		return at
	}
	return name + "\t"
}

// quoted adds git's quotes and escapes to a name that contains special characters. Other names are
// unchanged.
func quoted(name string) string {
	if !strings.ContainsFunc(name, func(char rune) bool { return char < ' ' || char == '"' || char == '\\' || char == 0x7f }) {
		return name
	}
	var out strings.Builder
	out.WriteByte('"')
	for i := range len(name) {
		switch char := name[i]; {
		case char == '"' || char == '\\':
			out.WriteByte('\\')
			out.WriteByte(char)
		case char < ' ' || char == 0x7f:
			fmt.Fprintf(&out, `\%03o`, char)
		default:
			out.WriteByte(char)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// unified returns a unified diff without the lines that name the files.
func unified(before, after []byte) string {
	out := string(diff.Diff("a", before, "b", after))
	for range 3 {
		_, out, _ = strings.Cut(out, "\n")
	}
	return out
}
