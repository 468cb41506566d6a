package acp

import (
	"path/filepath"
	"strconv"
	"strings"

	"marvin/messages/acp"
)

// diffsOf returns the old and the new text of each hunk in a unified diff, and the file and line
// where each hunk begins. Relative file names are relative to dir.
func diffsOf(text, dir string) (diffs []acp.CallContent, places []acp.Location) {
	reader := diffReader{dir: dir}
	for line := range strings.Lines(text) {
		reader.line(strings.TrimSuffix(line, "\n"))
	}
	reader.close()
	return reader.diffs, reader.places
}

type diffReader struct {
	dir      string
	from, to string // names of the current file; "" for /dev/null
	before   []string
	behind   []string
	left     [2]int // how many old lines and new lines of the hunk remain
	open     bool
	diffs    []acp.CallContent
	places   []acp.Location
}

func (r *diffReader) line(line string) {
	inside := r.left[0] > 0 || r.left[1] > 0
	switch {
	case !inside && strings.HasPrefix(line, "--- "):
		r.close()
		r.from = r.name(line[4:])
	case !inside && strings.HasPrefix(line, "+++ "):
		r.to = r.name(line[4:])
	case !inside && strings.HasPrefix(line, "@@ "):
		r.close()
		r.hunk(line)
	case !inside:
	case strings.HasPrefix(line, "-"):
		r.before, r.left[0] = append(r.before, line[1:]), r.left[0]-1
	case strings.HasPrefix(line, "+"):
		r.behind, r.left[1] = append(r.behind, line[1:]), r.left[1]-1
	case strings.HasPrefix(line, " "), line == "":
		r.before, r.behind = append(r.before, strings.TrimPrefix(line, " ")), append(r.behind, strings.TrimPrefix(line, " "))
		r.left[0], r.left[1] = r.left[0]-1, r.left[1]-1
	case strings.HasPrefix(line, `\`): // "\ No newline at end of file"
	default:
		r.left = [2]int{}
	}
}

// hunk decodes the header line of a hunk, such as "@@ -1,2 +3,4 @@".
func (r *diffReader) hunk(head string) {
	words := strings.Fields(head)
	if len(words) < 3 {
		return
	}
	start := 0
	for i, word := range words[1:3] {
		first, count, several := strings.Cut(word[1:], ",")
		r.left[i] = 1
		if several {
			r.left[i], _ = strconv.Atoi(count) // 0 for an empty hunk or an invalid count
		}
		start, _ = strconv.Atoi(first)
	}
	r.open = true
	if path := r.path(); path != "" {
		r.places = append(r.places, acp.Location{Path: path, Line: max(start, 1)})
	}
}

func (r *diffReader) close() {
	path := r.path()
	if r.open && path != "" && (len(r.before) > 0 || len(r.behind) > 0) {
		one := acp.CallContent{Type: "diff", Path: path, NewText: joined(r.behind)}
		if r.from != "" {
			one.OldText = joined(r.before)
		}
		r.diffs = append(r.diffs, one)
	}
	r.open, r.before, r.behind, r.left = false, nil, nil, [2]int{}
}

func joined(lines []string) *string {
	text := ""
	if len(lines) > 0 {
		text = strings.Join(lines, "\n") + "\n"
	}
	return &text
}

func (r *diffReader) path() string {
	if r.to != "" {
		return r.to
	}
	return r.from
}

// name converts the text after "--- " or "+++ " to a path, or to "" for /dev/null.
func (r *diffReader) name(text string) string {
	text, _, _ = strings.Cut(text, "\t")
	if text = strings.TrimSpace(text); text == "/dev/null" {
		return ""
	}
	if rest, ok := strings.CutPrefix(text, "a/"); ok {
		text = rest
	} else if rest, ok := strings.CutPrefix(text, "b/"); ok {
		text = rest
	}
	if filepath.IsAbs(text) {
		return text
	}
	return filepath.Join(r.dir, filepath.FromSlash(text))
}
