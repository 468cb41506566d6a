package command

import (
	"regexp"
	"strings"
	"sync"
)

// Editors, debuggers and database clients run shell commands: "!rm" in ed, ":!rm" in vi, "\! rm" in
// psql, ".shell rm" in sqlite3, "shell rm" in gdb.

var escapesToShell = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\s:0-9,.$%;+'\-]*(?:sil(?:ent)?!?\s+)?(?:(?:r|re|read|w|wr|write|e|exe|execute|g/[^/]*/|v/[^/]*/)?\s*\\?!+|\\o\s*\||\.(?:shell|system)\s|(?:shell|system|ter|term|terminal|platform shell)\s)(.+)$`)
})

var writesFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\s:0-9,.$%;+'\-]*(?:w|wr|write|wq|W|f|saveas|sav)!?\s+([~/]\S*)`)
})

type editReader struct {
	*inspector
	part  Part
	depth int
}

// edits inspects text that a line editor, a debugger or a database client reads.
func (i *inspector) edits(part Part, text string, depth int) {
	editReader{i, part, depth}.lines(text)
}

func (e editReader) lines(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if e.looked += 1 + len(line)/16; e.tired() {
			return
		}
		e.edit(line)
	}
}

func (e editReader) edit(line string) {
	if found := escapesToShell().FindStringSubmatch(line); found != nil {
		e.inProgram(func() {
			e.withoutSyntaxErrors(func() { e.script(strings.ReplaceAll(found[1], Hole, unknownValue), e.depth) })
		})
		return
	}
	if found := writesFile().FindStringSubmatch(line); found != nil && isEditor(e.part.Name()) {
		e.checkWrite(Word{Text: found[1], tilde: found[1][0] == '~'})
	}
	if _, behind, found := strings.Cut(line, "!"); found && isEditor(e.part.Name()) {
		e.searchUnparsed(e.part, behind)
	}
	if strings.Contains(line, "system(") {
		e.code(e.part, otherLanguage, line, e.depth+1)
	}
}

// arguments invokes e.lines for the editor commands in options such as "-c" and "+".
func (e editReader) arguments() {
	args := e.part.Words
	for n := 1; n < len(args); n++ {
		for _, option := range []string{"-c", "--cmd", "-ex", "-eval-command", "--eval-command", "-e"} {
			if value, ok := optionValue(args, n, option); ok {
				e.lines(value.Text)
			}
		}
		if line, ok := strings.CutPrefix(args[n].Text, "+"); ok {
			e.lines(line)
		}
	}
}
