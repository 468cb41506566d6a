package gitpatch

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"marvin/tools/internal/text"
)

// File is the change of one file. Its names have slashes. A nil content means that there is
// no file.
type File struct {
	Was, Name             string // the same, unless the file was moved
	Below                 string // the directory of the names, from the top of its repository; "" for the top
	Before, After         []byte
	BeforeMode, AfterMode fs.FileMode
}

// nowhere is the name of a file that does not exist.
const nowhere = "/dev/null"

// Same says that nothing changed that a patch can show.
func (f *File) Same() bool {
	return f.Was == f.Name && (f.Before == nil) == (f.After == nil) && bytes.Equal(f.Before, f.After) && !f.remoded()
}

// Binary says that the change is not one of lines.
func (f *File) Binary() bool { return text.Foreign(f.Before) != "" || text.Foreign(f.After) != "" }

func (f *File) remoded() bool {
	return f.Before != nil && f.After != nil && mode(f.BeforeMode) != mode(f.AfterMode)
}

// mode is what git keeps of one: the executable bit.
func mode(of fs.FileMode) string {
	if of&0o100 != 0 {
		return "100755"
	}
	return "100644"
}

// headed says whether the header of git is needed: to name a mode, an empty file, or two names.
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

// heads are the two lines that name a file before its hunks.
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

// named is a name in such a line. A tab ends one with a blank in it.
func named(name string) string {
	if at := quoted(name); at != name || !strings.Contains(name, " ") {
		return at
	}
	return name + "\t"
}

// quoted puts a name in quotes that would be read as something else, as git does.
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

// unified is the diff of the two contents, without the lines that name them.
func unified(before, after []byte) string {
	out := string(diff.Diff("a", before, "b", after))
	for range 3 {
		_, out, _ = strings.Cut(out, "\n")
	}
	return out
}
