package gitpatch

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Hunk is one changed part of a file. It includes up to three lines of context before and after the
// change.
type Hunk struct {
	Text           string // the hunk's lines, beginning with "@@"
	Added, Removed int    // numbers of lines
	old, now       span
}

// span is a range of lines: the number of lines before the range, and the number of lines in it.
type span struct{ from, count int }

// Hunks returns the changed parts in order, or nil if the old or the new content is not text.
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

// begun parses the first line of a hunk, such as "@@ -1,4 +1,5 @@".
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

// Undo returns the current content with one hunk undone. For a new file, an empty result is nil.
func (f *File) Undo(hunk Hunk) []byte {
	before, after := bytes.SplitAfter(f.Before, []byte("\n")), bytes.SplitAfter(f.After, []byte("\n"))
	lines := slices.Concat(after[:hunk.now.from], before[hunk.old.from:hunk.old.from+hunk.old.count], after[hunk.now.from+hunk.now.count:])
	content := bytes.Join(lines, nil)
	if f.Before == nil && len(content) == 0 {
		return nil
	}
	return append([]byte{}, content...)
}
