package patch

import (
	"fmt"
	"slices"
	"strings"

	"marvin/tools/internal/text"
)

// Read parses a Codex patch, a unified diff, or SEARCH and REPLACE blocks. The first line that
// belongs to one of these forms decides the form of the whole patch. Hunks and blocks before the
// first file name apply to the file at path.
func Read(body, path string) ([]Section, error) {
	lines := strings.Split(text.Unix(body), "\n")
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		at := parser{lines: lines, at: i, diff: true}
		switch {
		case trimmed == begin:
			return parse(body)
		case isSectionHead(trimmed): // the line "*** Begin Patch" is missing
			whole := strings.Join(lines[i:], "\n")
			if !strings.Contains(whole, end) {
				whole = strings.TrimRight(whole, "`\n ") + "\n" + end
			}
			return parse(begin + "\n" + whole)
		case searchMark().MatchString(line):
			return parseBlocks(lines, path)
		case strings.HasPrefix(line, "@@"), at.atHeads():
			return parseDiff(lines, path)
		}
	}
	return nil, fmt.Errorf("%w: it has none of the three forms: *** Begin Patch, a unified diff (---, +++, @@), or <<<<<<< SEARCH", ErrFormat)
}

func isSectionHead(line string) bool {
	return slices.ContainsFunc([]string{"*** Add File:", "*** Update File:", "*** Delete File:"}, func(head string) bool { return strings.HasPrefix(line, head) })
}
