package permit

import (
	"regexp"
	"strings"
	"sync"
)

// Line editors, debuggers and the clients of databases run what stands behind a mark of
// theirs: !rm in ed, :!rm in vi, \! rm in psql, .shell rm in sqlite3, shell rm in gdb.

var escapesToShell = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\s:0-9,.$%;+'\-]*(?:sil(?:ent)?!?\s+)?(?:(?:r|re|read|w|wr|write|e|exe|execute|g/[^/]*/|v/[^/]*/)?\s*\\?!+|\\o\s*\||\.(?:shell|system)\s|(?:shell|system|ter|term|terminal|platform shell)\s)(.+)$`)
})

var writesFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\s:0-9,.$%;+'\-]*(?:w|wr|write|wq|W|f|saveas|sav)!?\s+([~/]\S*)`)
})

// edits judges the lines that a program of that kind is fed.
func (i *inspector) edits(part Part, text string, depth int) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if i.looked += 1 + len(line)/16; i.tired() {
			return
		}
		i.edit(part, line, depth)
	}
}

func (i *inspector) edit(part Part, line string, depth int) {
	if found := escapesToShell().FindStringSubmatch(line); found != nil {
		i.inProgram(func() { i.quietly(func() { i.script(strings.ReplaceAll(found[1], hole, unknownValue), depth) }) })
		return
	}
	if found := writesFile().FindStringSubmatch(line); found != nil && isEditor(part.name()) {
		i.written(Word{text: found[1], tilde: found[1][0] == '~'})
	}
	if _, behind, found := strings.Cut(line, "!"); found && isEditor(part.name()) {
		i.plainly(part, behind)
	}
	if strings.Contains(line, "system(") {
		i.code(part, otherLanguage, line, depth+1)
	}
}

// editsInArguments are the lines that an editor is told with its options.
func (i *inspector) editsInArguments(part Part, depth int) {
	args := part.Words
	for n := 1; n < len(args); n++ {
		for _, option := range []string{"-c", "--cmd", "-ex", "-eval-command", "--eval-command", "-e"} {
			if value, ok := optionValue(args, n, option); ok {
				i.edits(part, value.text, depth)
			}
		}
		if line, ok := strings.CutPrefix(args[n].text, "+"); ok {
			i.edits(part, line, depth)
		}
	}
}
