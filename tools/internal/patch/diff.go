package patch

import (
	"fmt"
	"strconv"
	"strings"
)

// diffFile is the part of a unified diff that changes one file.
type diffFile struct {
	old, new         string // "" if the patch gives no name; /dev/null if the file does not exist
	headed           bool   // whether the file has "---" and "+++" lines
	created, deleted bool   // whether git's "new file mode" or "deleted file mode" is present
	mode             string // the new mode, in git's form
	hunks            []Hunk
	open             bool // the new file ends without a newline
	signed           bool // whether a mail signature follows
}

const nowhere = "/dev/null"

// parseDiff parses a unified diff of one or more files. Its line numbers may be wrong, because a
// model wrote them. Hunks before the first file name belong to the file at path.
func parseDiff(lines []string, path string) ([]Section, error) {
	p := &parser{lines: lines, diff: true}
	var files []*diffFile
	for p.hasLine() {
		line := p.lines[p.at]
		switch {
		case strings.HasPrefix(line, "diff --git "):
			files = append(files, gitNames(strings.TrimPrefix(line, "diff --git ")))
			p.at++
		case p.atHeads():
			if n := len(files); n == 0 || files[n-1].headed || len(files[n-1].hunks) > 0 {
				files = append(files, &diffFile{})
			}
			file := files[len(files)-1]
			file.headed, file.old, file.new = true, headName(line), headName(p.lines[p.at+1])
			p.at += 2
		case strings.HasPrefix(line, "@@"):
			if len(files) == 0 {
				files = append(files, &diffFile{old: path, new: path})
			}
			hunk, err := p.hunk()
			if err != nil {
				return nil, err
			}
			file := files[len(files)-1]
			file.hunks = append(file.hunks, hunk)
			file.open = strings.HasPrefix(p.lastLine(), `\`)
		default:
			if err := p.readOutside(files); err != nil {
				return nil, err
			}
			p.at++
		}
	}
	var sections []Section
	for _, file := range files {
		section, err := file.section()
		if err != nil {
			return nil, err
		}
		sections = append(sections, section)
	}
	return sections, nil
}

// lastLine returns the last non-blank line before the current one.
func (p *parser) lastLine() string {
	for i := p.at - 1; i >= 0; i-- {
		if p.lines[i] != "" {
			return p.lines[i]
		}
	}
	return ""
}

// atFile reports whether the current line begins a file header, a code fence or a mail signature.
// Each of these ends the hunks of a file.
func (p *parser) atFile() bool {
	line := p.lines[p.at]
	return strings.HasPrefix(line, "Index: ") || strings.HasPrefix(line, "```") || signature(p.lines[p.at:]) || p.atHeads()
}

// atHeads reports whether a file header begins here: a "diff --git" line, or a "--- " line followed
// by a "+++ " line. A hunk contains such a pair if it removes a line "-- x" and adds a line "++ x".
// So the pair counts only before a hunk, a blank line or the end of the patch.
func (p *parser) atHeads() bool {
	if strings.HasPrefix(p.lines[p.at], "diff --git ") {
		return true
	}
	if !strings.HasPrefix(p.lines[p.at], "--- ") || p.at+1 >= len(p.lines) || !strings.HasPrefix(p.lines[p.at+1], "+++ ") {
		return false
	}
	return p.at+2 >= len(p.lines) || strings.HasPrefix(p.lines[p.at+2], "@@") || strings.TrimSpace(p.lines[p.at+2]) == ""
}

// readOutside reads a line outside hunks: git's information about a file, or text that is not part
// of the patch.
func (p *parser) readOutside(files []*diffFile) error {
	line := p.lines[p.at]
	if strings.HasPrefix(line, "GIT binary patch") || strings.HasPrefix(line, "Binary files ") {
		return p.fail("a binary file cannot be patched")
	}
	if len(files) == 0 {
		return nil // text that people and tools write before a diff
	}
	file := files[len(files)-1]
	if from, ok := strings.CutPrefix(line, "rename from "); ok {
		file.old = "a/" + from
	} else if to, ok := strings.CutPrefix(line, "rename to "); ok {
		file.new = "b/" + to
	}
	for _, words := range []string{"new mode ", "new file mode "} {
		if mode, ok := strings.CutPrefix(line, words); ok {
			file.mode = strings.TrimSpace(mode)
		}
	}
	file.created = file.created || strings.HasPrefix(line, "new file mode")
	file.deleted = file.deleted || strings.HasPrefix(line, "deleted file mode")
	file.signed = file.signed || signature(p.lines[p.at:])
	if len(file.hunks) > 0 && !file.signed && (strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")) {
		return p.fail("this line belongs to no hunk: %q", clip(line))
	}
	return nil
}

// signature returns true if the lines begin with the signature of a git format-patch mail: two
// dashes and a space, and git's version on the next line. Some editors remove the space. The
// version begins with a digit, and no line of a hunk does.
func signature(lines []string) bool {
	if len(lines) < 2 || strings.TrimRight(lines[0], " ") != "--" {
		return false
	}
	return strings.IndexAny(lines[1], "0123456789") == 0
}

// gitNames returns the two names in a "diff --git" line if they differ only in their prefixes, such
// as "a/" and "b/". Such names have the same length, so the space in the middle separates them.
// Other names cannot be separated reliably, because names can contain spaces.
func gitNames(names string) *diffFile {
	half := len(names) / 2
	if len(names)%2 == 1 && names[half] == ' ' && len(names) > 5 && names[2:half] == names[half+3:] {
		return &diffFile{old: names[:half], new: names[half+1:]}
	}
	return &diffFile{}
}

// headName returns the name in a "---" or "+++" line, without the time or git's quotes.
func headName(line string) string {
	name, _, _ := strings.Cut(line[4:], "\t")
	name = strings.TrimSpace(name)
	if plain, err := strconv.Unquote(name); err == nil && strings.HasPrefix(name, `"`) {
		return plain
	}
	return name
}

// section converts f to a Section. Like git, it removes the prefixes "a/" and "b/" only if both are
// present. The name "/dev/null" needs no prefix.
func (f *diffFile) section() (Section, error) {
	old, oldMarked := strings.CutPrefix(f.old, "a/")
	new, newMarked := strings.CutPrefix(f.new, "b/")
	if !(oldMarked || f.old == nowhere) || !(newMarked || f.new == nowhere) {
		old, new = f.old, f.new
	}
	section := Section{Action: Update, Path: old, Mode: f.mode, Hunks: f.hunks}
	switch {
	case f.old == nowhere && f.new == nowhere || old == "" || new == "":
		return Section{}, fmt.Errorf("%w: the diff does not say which file it changes. Write --- a/path and +++ b/path before its hunks, or give \"path\"", ErrFormat)
	case f.old == nowhere || f.created:
		var content strings.Builder
		for _, hunk := range f.hunks {
			if len(hunk.oldLines()) > 0 && !hunk.onlyBlank() {
				return Section{}, fmt.Errorf("%w: %s is a new file, but the diff contains lines of an old version", ErrFormat, new)
			}
			content.WriteString(hunk.text('+'))
		}
		body := content.String()
		if f.open {
			body = strings.TrimSuffix(body, "\n")
		}
		return Section{Action: Add, Path: new, Content: body, Mode: f.mode}, nil
	case f.new == nowhere || f.deleted:
		section.Action = Delete
		return section, nil
	case old != new:
		section.MoveTo = new
	case len(f.hunks) == 0:
		return Section{}, fmt.Errorf("%w: there is no hunk (@@) for %s", ErrFormat, old)
	}
	return section, nil
}

// onlyBlank reports whether the hunk's only old lines are empty lines at the end of the hunk.
func (h Hunk) onlyBlank() bool {
	return len(h.withoutBlankEnd().oldLines()) == 0
}
