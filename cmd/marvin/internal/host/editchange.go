package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/editor"
	"marvin/tools"
)

// EditChange implements [command.Host]. The user edits a copy of the file, because the change is
// not approved yet.
func (h workplace) EditChange(change, dir string) (wanted string, known bool, err error) {
	old, name, hunks := splitDiff(change)
	if name == "" {
		return "", false, nil
	}
	var before []byte
	if old != os.DevNull {
		full := fileFrom(name, dir)
		if before, known = compared(full); !known {
			return "", false, nil
		}
	}
	proposed, line, fits := applyHunks(string(before), hunks)
	if !fits {
		return "", false, nil
	}
	after, err := editor.Editor{World: h.parts.World}.EditCopy(filepath.Base(name), proposed, line)
	switch {
	case err != nil:
		return "", true, err
	case len(after) > mostCompared || !utf8.ValidString(after):
		return "", true, fmt.Errorf("the edited %s is too long or not text", tools.Visible(name))
	case after == proposed:
		return change, true, nil
	case after == string(before):
		return "Leave " + tools.Visible(name) + " as it is.", true, nil
	}
	if old != os.DevNull {
		old = "a/" + name
	}
	_, wanted, _ = strings.Cut(string(diff.Diff(old, before, "b/"+name, []byte(after))), "\n")
	return wanted, true, nil
}

// fileFrom returns the full path of a file. It looks for a relative path in dir and in the parents
// of dir.
func fileFrom(path, dir string) string {
	full := path
	for at := dir; !filepath.IsAbs(path); at = filepath.Dir(at) {
		if full = filepath.Join(at, filepath.FromSlash(path)); cli.Exists(full) || at == filepath.Dir(at) {
			break
		}
	}
	return full
}

// splitDiff splits a unified diff of one file. It returns nothing if the diff deletes or moves the
// file, or is malformed.
func splitDiff(change string) (old, name string, hunks []string) {
	lines := strings.Split(change, "\n")
	if len(lines) < 3 || !strings.HasPrefix(lines[0], "--- ") || !strings.HasPrefix(lines[1], "+++ b/") {
		return "", "", nil
	}
	old, _, _ = strings.Cut(strings.TrimPrefix(lines[0], "--- "), "\t")
	name, _, _ = strings.Cut(strings.TrimPrefix(lines[1], "+++ b/"), "\t")
	if old != os.DevNull && old != "a/"+name { // the diff moves the file
		return "", "", nil
	}
	return old, name, lines[2:]
}

// applyHunks returns the changed text and the number of the first changed line. It returns false if
// the diff does not match the text, is incomplete, covers several files, or changes nothing.
func applyHunks(text string, hunks []string) (after string, line int, fits bool) {
	p := patched{rest: strings.SplitAfter(text, "\n"), at: 1, came: 1, hunks: hunks}
	for len(p.hunks) > 0 && strings.Join(p.hunks, "") != "" {
		if !p.hunk() {
			return "", 0, false
		}
	}
	return p.made.String() + strings.Join(p.rest, ""), p.first, p.first > 0
}

// patched is a text to which hunks are being applied.
type patched struct {
	rest  []string // the lines after the last applied hunk
	at    int      // the line number of rest[0] in the old text
	made  strings.Builder
	came  int // the number of the next line in the new text
	first int // the number of the first changed line in the new text, or 0
	hunks []string
}

// hunk applies the next part of the diff, and reports whether that part matches the text.
func (p *patched) hunk() bool {
	from, left, right, ok := hunkOf(p.hunks[0])
	if left == 0 { // a hunk without old lines inserts its lines after the given line
		from++
	}
	same := from - p.at
	if !ok || same < 0 || same > len(p.rest) {
		return false
	}
	p.made.WriteString(strings.Join(p.rest[:same], ""))
	p.rest, p.at, p.came, p.hunks = p.rest[same:], from, p.came+same, p.hunks[1:]
	for left+right > 0 {
		if len(p.hunks) == 0 {
			return false
		}
		sign, said := byte(' '), ""
		if text := p.hunks[0]; text != "" {
			sign, said = text[0], text[1:]
		}
		p.hunks = p.hunks[1:]
		if len(p.hunks) > 0 && strings.HasPrefix(p.hunks[0], `\ `) { // no line break at the end of the file
			p.hunks = p.hunks[1:]
		} else {
			said += "\n"
		}
		if !p.line(sign, said) {
			return false
		}
		if sign != '+' {
			left--
		}
		if sign != '-' {
			right--
		}
	}
	return true
}

// line adds, removes or keeps one line, depending on sign. It returns false if the diff does not
// match the text.
func (p *patched) line(sign byte, said string) bool {
	if sign != ' ' && p.first == 0 {
		p.first = p.came
	}
	if sign != '+' {
		if len(p.rest) == 0 || p.rest[0] != said || sign != ' ' && sign != '-' {
			return false
		}
		p.rest, p.at = p.rest[1:], p.at+1
	}
	if sign != '-' {
		p.made.WriteString(said)
		p.came++
	}
	return true
}

func hunkOf(text string) (from, left, right int, ok bool) {
	words := strings.Fields(text)
	if len(words) < 4 || words[0] != "@@" || words[3] != "@@" {
		return 0, 0, 0, false
	}
	read := func(word, sign string) (first, count int) {
		number, many, several := strings.Cut(strings.TrimPrefix(word, sign), ",")
		first, err := strconv.Atoi(number)
		count = 1
		if several && err == nil {
			count, err = strconv.Atoi(many)
		}
		if err != nil || count < 0 {
			return 0, -1
		}
		return first, count
	}
	from, left = read(words[1], "-")
	_, right = read(words[2], "+")
	return from, left, right, left >= 0 && right >= 0
}
