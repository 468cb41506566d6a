package patch

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"marvin/tools/internal/text"
)

var (
	command = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?i)(REPLACE|INSERT|DELETE)\s+(?:after[_ ])?(\d+)(?:(?:\s*-\s*|\s+)(\d+))?\s*$`)
	})
	hunkHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`) })
)

// Edit changes whole lines. Line numbers refer to the original content.
type Edit struct {
	First, Count int      // the removed lines; if Count is 0, New is inserted after line First
	New          []string // the inserted lines
	Says         string   // the command or @@ line that begins the edit
	open         *bool    // whether the new file ends without a newline; nil if not specified
}

// Lines applies the patch in body to content. The patch consists of unified hunks, or of commands
// that are separated by a line "---":
//
//	REPLACE n [m]    replaces lines n to m with the following lines
//	INSERT n         inserts the following lines after line n; 0 is the beginning
//	DELETE n [count] deletes line n, or count lines beginning with line n
//
// All numbers refer to the original. The first nonblank line of the patch shows whether the patch
// consists of hunks or commands. So the text after a command may contain lines that begin with @@,
// and the lines of a hunk may look like commands.
func Lines(content []byte, body string) (Result, []Edit, error) {
	if err := checkEncoding(content, body); err != nil {
		return Result{}, nil, err
	}
	d := split(content)
	lines := strings.Split(text.Unix(body), "\n")
	var edits []Edit
	var err error
	if isDiff(lines) {
		edits, err = parseUnified(lines, d.texts())
	} else {
		edits, err = commands(lines, len(d.lines))
	}
	if err != nil {
		return Result{}, nil, err
	}
	result, err := d.edit(edits)
	return result, edits, err
}

func isDiff(lines []string) bool {
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		return slices.ContainsFunc([]string{"@@ ", "--- ", "diff ", "Index: "}, func(start string) bool { return strings.HasPrefix(line, start) })
	}
	return false
}

// commands parses blocks separated by lines that are exactly "---".
func commands(lines []string, total int) ([]Edit, error) {
	var edits []Edit
	number := 0
	for len(lines) > 0 {
		block := lines
		if i := slices.Index(lines, "---"); i >= 0 {
			block, lines = lines[:i], lines[i+1:]
		} else {
			lines = nil
			if block[len(block)-1] == "" {
				block = block[:len(block)-1] // the text ends with a newline
			}
		}
		for len(block) > 0 && strings.TrimSpace(block[0]) == "" {
			block = block[1:]
		}
		if len(block) == 0 {
			continue
		}
		number++
		edit, err := oneCommand(block, total)
		if err != nil {
			return nil, fmt.Errorf("%w: block %d: %w", ErrFormat, number, err)
		}
		edits = append(edits, edit)
	}
	if len(edits) == 0 {
		return nil, fmt.Errorf("%w: it is empty. Write unified hunks (@@ -1,2 +1,2 @@) or blocks (REPLACE 3, INSERT 3, DELETE 3 2) separated by a line ---", ErrFormat)
	}
	return edits, nil
}

// oneCommand parses a command and the text below it.
func oneCommand(block []string, total int) (Edit, error) {
	words := command().FindStringSubmatch(block[0])
	if words == nil {
		return Edit{}, fmt.Errorf("%q is not one of REPLACE n [m], INSERT n, DELETE n [count]. To edit text that contains a line \"---\", send a unified diff", clip(block[0]))
	}
	verb := strings.ToUpper(words[1])
	first, err := strconv.Atoi(words[2])
	if err != nil {
		return Edit{}, fmt.Errorf("%s: the line number is too large", clip(block[0]))
	}
	second := 0
	if words[3] != "" {
		if second, err = strconv.Atoi(words[3]); err != nil {
			return Edit{}, fmt.Errorf("%s: the number is too large", clip(block[0]))
		}
	}
	edit := Edit{First: first, Count: 1, New: block[1:], Says: strings.TrimSpace(block[0])}
	lowest := 1
	switch {
	case verb == "INSERT" && words[3] != "":
		return Edit{}, fmt.Errorf("%s: INSERT takes one line number", clip(block[0]))
	case verb == "INSERT":
		edit.Count, lowest = 0, 0
	case verb == "REPLACE" && words[3] != "":
		edit.Count = second - first + 1
	case verb == "DELETE" && words[3] != "":
		edit.Count = second
	}
	if verb == "DELETE" && len(strings.TrimSpace(strings.Join(edit.New, ""))) > 0 {
		return Edit{}, fmt.Errorf("%s is followed by text, but DELETE takes no text", clip(block[0]))
	}
	if verb == "DELETE" {
		edit.New = nil
	} else if len(edit.New) == 0 {
		return Edit{}, fmt.Errorf("%s is not followed by the new text", clip(block[0]))
	}
	if first < lowest || edit.Count < 0 || edit.Count == 0 && verb != "INSERT" || first+max(edit.Count, 1)-1 > total {
		return Edit{}, fmt.Errorf("%s: the file has lines 1 to %d", clip(block[0]), total)
	}
	return edit, nil
}

func (d *document) edit(edits []Edit) (Result, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		// At the same index, an insertion comes before an edit that removes lines.
		return cmp.Or(cmp.Compare(a.start(), b.start()), cmp.Compare(min(a.Count, 1), min(b.Count, 1)))
	})
	var out []line
	result := Result{Hunks: len(edits)}
	done := 0
	for i, e := range sorted {
		if e.start() < done {
			return Result{}, fmt.Errorf("%w: %s and %s change the same lines. Give all line numbers as they are before the change", ErrFormat, sorted[i-1].Says, e.Says)
		}
		out = append(out, d.lines[done:e.start()]...)
		result.first(len(out))
		for _, added := range e.New {
			out = append(out, line{added, d.endAt(e.start())})
		}
		done = e.start() + e.Count
	}
	result.Content = d.join(append(out, d.lines[done:]...))
	if last := sorted[len(sorted)-1]; last.open != nil && done == len(d.lines) {
		result.Content = endOpen(result.Content, *last.open, d.usual)
	}
	return result, nil
}

// endOpen removes the final line ending of content, if there is one. If open is false, endOpen then
// appends the usual line ending.
func endOpen(content []byte, open bool, usual string) []byte {
	body := string(content)
	for _, end := range []string{"\r\n", "\n"} {
		if cut, ok := strings.CutSuffix(body, end); ok {
			body = cut
			break
		}
	}
	if !open {
		body += usual
	}
	return []byte(body)
}

// start returns the index of the first line that the edit removes or moves down.
func (e Edit) start() int {
	if e.Count == 0 {
		return e.First
	}
	return e.First - 1
}
