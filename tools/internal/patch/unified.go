package patch

import (
	"fmt"
	"strconv"
	"strings"
)

// parseUnified parses the hunks in the diff of one file. The old lines of each hunk must occur in
// the file, so that an edit removes only these lines.
func parseUnified(lines, file []string) ([]Edit, error) {
	var edits []Edit
	headers, signed := 0, false
	for at := 0; at < len(lines); {
		line := lines[at]
		head := hunkHead().FindStringSubmatch(line)
		switch {
		case head != nil:
			edit, next, err := parseUnifiedHunk(lines, at, head, file)
			if err != nil {
				return nil, err
			}
			edits = append(edits, edit)
			at = next
		case strings.HasPrefix(line, "--- "):
			if headers++; headers > 1 {
				return nil, fmt.Errorf("%w: the diff is about several files; send one file at a time", ErrFormat)
			}
			at++
		case signed || len(edits) > 0 && signature(lines[at:]):
			signed = true
			at++
		case len(edits) > 0 && strings.TrimSpace(line) != "":
			return nil, fmt.Errorf("%w: line %d of the diff belongs to no hunk: %q. Check the numbers in the @@ line before it", ErrFormat, at+1, clip(line))
		default:
			at++ // text that tools write before the first hunk
		}
	}
	if len(edits) == 0 {
		return nil, fmt.Errorf("%w: the diff has no hunk like @@ -3,2 +3,2 @@", ErrFormat)
	}
	return edits, nil
}

// parseUnifiedHunk parses a hunk, and also returns the index of the line after it. The counts in
// the header decide where the hunk ends. Wrong counts are an error, because they are the only sign
// of a truncated diff.
func parseUnifiedHunk(lines []string, at int, head, file []string) (Edit, int, error) {
	number := func(text string) int {
		if text == "" {
			return 1 // "@@ -3 +3 @@" means one line
		}
		n, err := strconv.Atoi(text)
		if err != nil {
			return 1 << 30
		}
		return n
	}
	start, oldCount, newCount := number(head[1]), number(head[2]), number(head[4])
	header := at
	var old, new []string
	var open *bool
	for at++; at < len(lines) && (len(old) < oldCount || len(new) < newCount); at++ {
		kind, body := byte(' '), ""
		if lines[at] != "" {
			kind, body = lines[at][0], lines[at][1:]
		} else if at == len(lines)-1 {
			break // the empty string after the final newline is not a line
		}
		switch kind {
		case ' ':
			old, new = append(old, body), append(new, body)
		case '-':
			old = append(old, body)
		case '+':
			new = append(new, body)
		case '\\':
			if !strings.HasPrefix(lines[at-1], "+") {
				open = ref(false) // assume that only the old text lacks a final newline
			}
		default:
			return Edit{}, 0, fmt.Errorf("%w: line %d of the diff does not begin with a space, + or -: %q", ErrFormat, at+1, clip(lines[at]))
		}
	}
	if at < len(lines) && strings.HasPrefix(lines[at], `\`) {
		open = ref(lines[at-1] == "" || lines[at-1][0] != '-')
		at++
	}
	if len(old) != oldCount || len(new) != newCount {
		return Edit{}, 0, fmt.Errorf("%w: %q declares %d old and %d new lines, but there are %d and %d. If the hunk is complete, write -%d,%d +%s,%d", ErrFormat, clip(lines[header]), oldCount, newCount, len(old), len(new), start, len(old), head[3], len(new))
	}
	place, err := unifiedPlace(file, old, start, clip(lines[header]), strings.Join(new, "\n"))
	if err != nil {
		return Edit{}, 0, err
	}
	return shrink(place, old, new, clip(lines[header]), open), at, nil
}

func ref(b bool) *bool { return &b }

// unifiedPlace returns the index of the file's line at which a hunk's old lines begin. If the old
// lines are not where the header says, they must occur exactly once in the file. A hunk without old
// lines belongs after the line that the header names.
func unifiedPlace(file, old []string, start int, header, new string) (int, error) {
	if len(old) == 0 {
		if start > len(file) {
			return 0, fmt.Errorf("%w: %s inserts after line %d, but the file has %d lines", ErrNoMatch, header, start, len(file))
		}
		return start, nil
	}
	if at := start - 1; at >= 0 && at+len(old) <= len(file) && len(occurrences(file[at:at+len(old)], old, trimmed)) == 1 {
		return at, nil
	}
	switch found := indexesFrom(file, old, 0); len(found) {
	case 1:
		return found[0], nil
	case 0:
		return 0, &miss{reason: fmt.Errorf("%s: %w; nothing was changed", header, ErrNoMatch), hint: explain(strings.Join(file, "\n"), strings.Join(old, "\n"), new)}
	default:
		return 0, fmt.Errorf("%s: %w: not at line %d, but at %s. Give the right line number", header, ErrAmbiguous, start, lineNumbers(plusOne(found)))
	}
}

// shrink builds an edit from a hunk, but omits context at both ends of the hunk. Neighboring edits
// therefore do not overlap, and the omitted lines do not change.
func shrink(at int, old, new []string, header string, open *bool) Edit {
	for len(old) > 0 && len(new) > 0 && old[0] == new[0] {
		old, new, at = old[1:], new[1:], at+1
	}
	for len(old) > 0 && len(new) > 0 && old[len(old)-1] == new[len(new)-1] {
		old, new = old[:len(old)-1], new[:len(new)-1]
	}
	edit := Edit{First: at + 1, Count: len(old), New: new, Says: header, open: open}
	if edit.Count == 0 {
		edit.First = at
	}
	return edit
}
