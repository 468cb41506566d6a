package patch

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// Some models write "------- SEARCH" instead of "<<<<<<< SEARCH", and "+++++++ REPLACE" instead of
// ">>>>>>> REPLACE".
var (
	searchMark  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(<{5,9}|-{5,9}) ?SEARCH>?\s*$`) })
	dividerMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*={5,9}\s*$`) })
	replaceMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(>{5,9}|\+{5,9}) ?REPLACE\s*$`) })
)

// parseBlocks parses SEARCH and REPLACE blocks. The line before a block contains the file name. A
// block without a name belongs to the same file as the previous block. If the first block has no
// name, it belongs to the file that the caller passes.
func parseBlocks(lines []string, file string) ([]Section, error) {
	p := &parser{lines: lines}
	var sections []Section
	before := 0 // the index of the line after the previous block
	for ; p.hasLine(); p.at++ {
		if !searchMark().MatchString(lines[p.at]) {
			continue
		}
		if named := nameBefore(lines[before:p.at], file == ""); named != "" {
			file = named
		}
		if file == "" {
			return nil, p.fail("write the path of the file on the line before the block, or give \"path\"")
		}
		edit, err := p.block()
		if err != nil {
			return nil, err
		}
		before = p.at + 1
		last := len(sections) - 1
		switch {
		case edit.Old == "":
			sections = append(sections, Section{Action: Add, Path: file, Content: edit.New})
		case last >= 0 && sections[last].Path == file && sections[last].Action == Update:
			sections[last].Edits = append(sections[last].Edits, edit)
		default:
			sections = append(sections, Section{Action: Update, Path: file, Edits: []Replacement{edit}})
		}
	}
	return sections, nil
}

// block parses the block that begins at the current line. Afterward, the current line is the
// "REPLACE" line.
func (p *parser) block() (Replacement, error) {
	begin, divider := p.at, 0
	for p.at++; p.hasLine(); p.at++ {
		line := p.lines[p.at]
		switch {
		case replaceMark().MatchString(line) && divider > 0:
			return Replacement{Old: whole(p.lines[begin+1 : divider]), New: whole(p.lines[divider+1 : p.at])}, nil
		case dividerMark().MatchString(line) && divider > 0:
			return Replacement{}, p.fail("the block has two ======= lines, so its halves are ambiguous. Use old_str and new_str")
		case dividerMark().MatchString(line):
			divider = p.at
		case searchMark().MatchString(line):
			return Replacement{}, p.fail("the block that starts at line %d has no >>>>>>> REPLACE before the next block begins", begin+1)
		}
	}
	p.at = begin
	return Replacement{}, p.fail("the block has no ======= or >>>>>>> REPLACE line, so it was probably cut off; nothing was done. Send all of it")
}

func whole(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// nameBefore returns the file name in the last line that is neither blank nor a code fence, or "".
// If a name is needed, it can be any word, or several words with a file extension. An optional name
// must contain "." or "/", and no spaces.
func nameBefore(lines []string, needed bool) string {
	for i := len(lines) - 1; i >= 0; i-- {
		line := strings.TrimSpace(lines[i])
		if line == "" || strings.HasPrefix(line, "```") && len(strings.Fields(line)) == 1 && !strings.Contains(line, ".") {
			continue
		}
		name := strings.TrimRight(strings.Trim(line, "`*# "), ":`* ")
		if !needed && !strings.ContainsAny(name, "./") {
			return ""
		}
		if name == "" || strings.ContainsAny(name, " \t") && (!needed || path.Ext(name) == "" || strings.ContainsAny(path.Ext(name), " \t")) {
			return ""
		}
		return name
	}
	return ""
}
