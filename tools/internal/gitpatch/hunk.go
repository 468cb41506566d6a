package gitpatch

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Hunk is one place of a file that changed, with three lines around it.
type Hunk struct {
	Text           string // from "@@" on
	Added, Removed int    // lines
	old, now       span
}

// span are lines of a content: so many behind the first ones.
type span struct{ from, count int }

// Hunks are the places that changed, in their order; none for a change that is not one of lines.
func (f *File) Hunks() (hunks []Hunk) {
	if f.Binary() {
		return nil
	}
	for line := range strings.Lines(unified(f.Before, f.After)) {
		if strings.HasPrefix(line, "@@ ") {
			hunks = append(hunks, begun(line))
			continue
		}
		hunk := &hunks[len(hunks)-1]
		hunk.Text += line
		switch line[0] {
		case '+':
			hunk.Added++
		case '-':
			hunk.Removed++
		}
	}
	return hunks
}

// begun is the hunk that a line such as "@@ -1,4 +1,5 @@" begins.
func begun(line string) Hunk {
	hunk := Hunk{Text: line}
	_, _ = fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &hunk.old.from, &hunk.old.count, &hunk.now.from, &hunk.now.count)
	for _, one := range []*span{&hunk.old, &hunk.now} {
		if one.count > 0 {
			one.from--
		}
	}
	return hunk
}

// Without is what the file holds now, without a hunk of it: nil if there was no file before
// and none of it is left.
func (f *File) Without(hunk Hunk) []byte {
	before, after := bytes.SplitAfter(f.Before, []byte("\n")), bytes.SplitAfter(f.After, []byte("\n"))
	lines := slices.Concat(after[:hunk.now.from], before[hunk.old.from:hunk.old.from+hunk.old.count], after[hunk.now.from+hunk.now.count:])
	content := bytes.Join(lines, nil)
	if f.Before == nil && len(content) == 0 {
		return nil
	}
	return append([]byte{}, content...)
}
