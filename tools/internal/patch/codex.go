package patch

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"marvin/tools/internal/text"
)

// The first and the last line of a Codex patch.
const (
	begin = "*** Begin Patch"
	end   = "*** End Patch"
)

// Action is the effect of a section on its file.
type Action uint8

// The actions of a section.
const (
	Add Action = iota
	Update
	Delete
)

// Section is the part of a patch that changes one file. Hunks and Edits are never both set.
type Section struct {
	Action  Action
	Path    string
	MoveTo  string        // the new path in an Update; "" if the file keeps its name
	Content string        // Add only
	Hunks   []Hunk        // any hunks of a Delete must remove every line of the file
	Mode    string        // the new file mode in git's notation, such as 100755, or ""
	Edits   []Replacement // applied in order, each to the result of the previous one
}

// Replacement is an edit that replaces one text with another.
type Replacement struct {
	Old, New string
	All      bool // whether every occurrence is replaced
}

// Hunk is one change within a file.
type Hunk struct {
	Anchors   []string // the file lines given after @@, outermost first
	Lines     []HunkLine
	EndOfFile bool // the hunk ends at the end of the file
	Line      int  // the hunk's line number in the patch
	At        *int // the old line number after @@, or nil if there is none
}

// HunkLine is a line of a hunk: kept (' '), removed ('-') or added ('+').
type HunkLine struct {
	Kind byte
	Text string
	bare bool // whether the line is empty; such a line could be a mere separator
	open bool // whether "\ No newline at end of file" follows the line
}

// unifiedRange matches the text that `diff -u` writes after @@. Models write such text too, often
// with wrong numbers. So the numbers only help to choose between several matching places.
var unifiedRange = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@`) })

// Contains reports whether body contains the first line of a Codex patch.
func Contains(body string) bool {
	for line := range strings.Lines(body) {
		if strings.TrimSpace(line) == begin {
			return true
		}
	}
	return false
}

// IsPatch reports whether the whole body is a Codex patch.
func IsPatch(body string) bool {
	body = strings.TrimSpace(body)
	return strings.HasPrefix(body, begin+"\n") && strings.HasSuffix(body, "\n"+end)
}

// parse parses a Codex patch. It ignores text before and after the patch, such as the lines of a
// code fence or of a shell's here document. If the last line of the patch is missing, the patch was
// probably cut off, and parse returns an error.
func parse(body string) ([]Section, error) {
	p := parser{lines: strings.Split(text.Unix(body), "\n")}
	for p.hasLine() && strings.TrimSpace(p.lines[p.at]) != begin {
		p.at++
	}
	p.at++
	var sections []Section
	for p.hasLine() {
		trimmed := strings.TrimSpace(p.lines[p.at])
		if trimmed == end {
			return finish(sections, p.lines[p.at+1:])
		}
		if trimmed == "" {
			p.at++
			continue
		}
		section, err := p.section()
		if err != nil {
			return nil, err
		}
		sections = append(sections, section)
	}
	return nil, fmt.Errorf("%w: the line %q is missing, so the patch is incomplete; nothing was done. Send all of it, or split it into smaller patches", ErrFormat, end)
}

func finish(sections []Section, rest []string) ([]Section, error) {
	if len(sections) == 0 {
		return nil, fmt.Errorf("%w: there is nothing between %q and %q", ErrFormat, begin, end)
	}
	if Contains(strings.Join(rest, "\n")) {
		return nil, fmt.Errorf("%w: a second patch follows the first; put all files into one patch", ErrFormat)
	}
	return sections, nil
}

type parser struct {
	lines []string
	at    int
	diff  bool // whether the text is a unified diff
}

func (p *parser) hasLine() bool { return p.at < len(p.lines) }

func (p *parser) fail(format string, args ...any) error {
	return fmt.Errorf("%w: line %d of the patch: %s", ErrFormat, p.at+1, fmt.Sprintf(format, args...))
}

// section reads a file's header, and the content or the hunks that follow.
func (p *parser) section() (Section, error) {
	header := strings.TrimSpace(p.lines[p.at])
	for prefix, action := range map[string]Action{"*** Add File:": Add, "*** Update File:": Update, "*** Delete File:": Delete} {
		path, ok := strings.CutPrefix(header, prefix)
		if !ok {
			continue
		}
		section := Section{Action: action, Path: strings.TrimSpace(path)}
		if section.Path == "" {
			return Section{}, p.fail("%s names no file", prefix)
		}
		p.at++
		var err error
		switch action {
		case Add:
			section.Content, err = p.content()
		case Update:
			err = p.update(&section)
		}
		return section, err
	}
	return Section{}, p.fail("%q is not one of *** Add File: …, *** Update File: …, *** Delete File: …, %s", clip(header), end)
}

// content reads the lines of a new file.
func (p *parser) content() (string, error) {
	var out strings.Builder
	for ; p.hasLine(); p.at++ {
		line := p.lines[p.at]
		if added, ok := strings.CutPrefix(line, "+"); ok {
			out.WriteString(added + "\n")
			continue
		}
		if strings.HasPrefix(line, "***") || p.atEnd() {
			break
		}
		if strings.TrimSpace(line) != "" {
			return "", p.fail("every line of a new file must begin with +, but this line is %q", clip(line))
		}
		if !p.onlyBlankAhead() {
			return "", p.fail("an empty line of a new file is written as a single +")
		}
	}
	return out.String(), nil
}

// onlyBlankAhead reports whether only blank lines are left before the next section or hunk. Such
// blank lines have no meaning.
func (p *parser) onlyBlankAhead() bool {
	for _, line := range p.lines[p.at:] {
		if strings.TrimSpace(line) != "" {
			return strings.HasPrefix(line, "***") || strings.HasPrefix(line, "@@") || strings.TrimSpace(line) == end
		}
	}
	return true
}

func (p *parser) update(section *Section) error {
	if p.hasLine() {
		if to, ok := strings.CutPrefix(strings.TrimSpace(p.lines[p.at]), "*** Move to:"); ok {
			if section.MoveTo = strings.TrimSpace(to); section.MoveTo == "" {
				return p.fail("\"*** Move to:\" names no file")
			}
			p.at++
		}
	}
	for p.hasLine() && !p.atSection() {
		if strings.TrimSpace(p.lines[p.at]) == "" && p.onlyBlankAhead() {
			p.at++
			continue
		}
		hunk, err := p.hunk()
		if err != nil {
			return err
		}
		section.Hunks = append(section.Hunks, hunk)
	}
	if len(section.Hunks) == 0 && section.MoveTo == "" {
		return p.fail("*** Update File: %s has no hunk", section.Path)
	}
	return nil
}

// atSection reports whether the next line ends the hunks of a file. In a Codex patch, an indented
// "*** " line belongs to a hunk. The last "*** End Patch" line is an exception.
func (p *parser) atSection() bool {
	line := p.lines[p.at]
	if p.diff {
		return p.atFile()
	}
	return strings.HasPrefix(line, "*** ") && strings.TrimSpace(line) != "*** End of File" || p.atEnd()
}

// atEnd reports whether the next line is the final "*** End Patch". Indentation is ignored, because
// models sometimes add it.
func (p *parser) atEnd() bool {
	isEnd := func(line string) bool { return strings.TrimSpace(line) == end }
	return isEnd(p.lines[p.at]) && !slices.ContainsFunc(p.lines[p.at+1:], isEnd)
}

func (p *parser) hunk() (Hunk, error) {
	hunk := Hunk{Line: p.at + 1}
	for ; p.hasLine() && strings.HasPrefix(p.lines[p.at], "@@"); p.at++ {
		anchor := strings.TrimPrefix(p.lines[p.at][2:], " ")
		if numbers := unifiedRange().FindStringSubmatch(anchor); numbers != nil {
			hunk.At = lineNumber(numbers[1])
		} else if strings.TrimSpace(anchor) != "" {
			hunk.Anchors = append(hunk.Anchors, anchor)
		}
	}
	for ; p.hasLine() && !p.atSection() && !strings.HasPrefix(p.lines[p.at], "@@"); p.at++ {
		line := p.lines[p.at]
		if strings.TrimSpace(line) == "*** End of File" && line[0] == '*' {
			hunk.EndOfFile = true
			p.at++
			break
		}
		switch {
		case line == "":
			hunk.Lines = append(hunk.Lines, HunkLine{Kind: ' ', bare: true})
		case strings.ContainsRune(" +-", rune(line[0])):
			hunk.Lines = append(hunk.Lines, HunkLine{Kind: line[0], Text: line[1:]})
		case line[0] == '\\': // "\ No newline at end of file"
			if last := len(hunk.Lines) - 1; last >= 0 {
				hunk.Lines[last].open = true
			}
		default:
			return hunk, p.fail("a line of a hunk must begin with a space, + or -, but this line is %q", clip(line))
		}
	}
	if !hunk.changes() {
		return hunk, fmt.Errorf("%w: the hunk at line %d of the patch has no line that begins with + or -", ErrFormat, hunk.Line)
	}
	return hunk, nil
}

func lineNumber(text string) *int {
	number, err := strconv.Atoi(text)
	if err != nil {
		return nil
	}
	return &number
}

func (h Hunk) changes() bool {
	return slices.ContainsFunc(h.Lines, func(line HunkLine) bool { return line.Kind != ' ' })
}

func clip(line string) string { return text.Clip(line, 80) }

// errPlace means that a hunk only adds lines, but the line number after @@ is too large or lies
// before the end of the previous hunk.
var errPlace = errors.New("the hunk does not say where it belongs")
