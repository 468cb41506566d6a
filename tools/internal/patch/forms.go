package patch

import (
	"fmt"
	"strings"

	"marvin/tools/internal/text"
)

// Read reads a patch in any form that models write: Codex's, a unified diff, or blocks
// of SEARCH and REPLACE. The first line that belongs to one of them decides, so that a
// file with the marks of another is only text. path is the file of a patch that names
// none; "" if there is none.
func Read(body, path string) ([]Section, error) {
	lines := strings.Split(text.Unix(body), "\n")
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		at := parser{lines: lines, at: i, diff: true}
		switch {
		case trimmed == Begin:
			return Parse(body)
		case isSectionHead(trimmed): // without its first line, and perhaps its last
			whole := strings.Join(lines[i:], "\n")
			if !strings.Contains(whole, End) {
				whole = strings.TrimRight(whole, "`\n ") + "\n" + End
			}
			return Parse(Begin + "\n" + whole)
		case searchMark().MatchString(line):
			return parseBlocks(lines, path)
		case strings.HasPrefix(line, "@@"), at.atHeads():
			return parseDiff(lines, path)
		}
	}
	return nil, fmt.Errorf("%w: it is none of the three forms: *** Begin Patch, a unified diff (---, +++, @@), or <<<<<<< SEARCH", ErrFormat)
}

func isSectionHead(line string) bool {
	for _, head := range []string{"*** Add File:", "*** Update File:", "*** Delete File:"} {
		if strings.HasPrefix(line, head) {
			return true
		}
	}
	return false
}
