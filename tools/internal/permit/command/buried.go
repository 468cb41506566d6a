package command

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Many programs can run commands from their arguments: tar --to-command, awk's system(), rsync -e,
// poetry run, vim -c. So the arguments of a program are searched for destructive commands. Programs
// that only process text are excluded.

// deadly returns a regular expression that finds the beginnings of potentially destructive
// commands.
var deadly = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^\w.-])(?:\S*/)?(rm|rimraf|srm|shred|mkfs(?:\.\w+)?|dd|git)\s+\S`)
})

// findBuried searches the arguments of a command for destructive commands.
func (a *assessor) findBuried(part Part) {
	if len(part.Words) < 2 || part.OnlyText() {
		return
	}
	a.searchUnparsed(part, part.Text())
}

// searchUnparsed searches unparsed text for destructive commands. Their dangers are reported for
// the command that contains the text.
func (a *assessor) searchUnparsed(part Part, text string) {
	for _, at := range deadly().FindAllStringSubmatchIndex(text, -1) {
		if at[2] == 0 && strings.HasPrefix(part.Text(), text) {
			continue // the command itself
		}
		if a.tired() {
			return
		}
		rest := text[at[2]:]
		if end := strings.IndexAny(rest, "\"'`;|&)\n"); end >= 0 {
			rest = rest[:end]
		}
		a.looked += len(rest) / 4
		var words []Word
		for _, field := range strings.Fields(rest) {
			words = append(words, Word{Text: field, tilde: strings.HasPrefix(field, "~"), Glob: strings.ContainsAny(field, "*?[")})
		}
		a.reportInner(part, Part{Words: words})
	}
}

// reportInner reports the dangers of an inner command as dangers of the command that contains it.
func (a *assessor) reportInner(part, inner Part) {
	before := len(a.report.Dangers)
	a.dangers(inner)
	for n := before; n < len(a.report.Dangers); n++ {
		found := &a.report.Dangers[n]
		marks := strings.Fields(part.Text())
		// A rule that contains only the outer command must not allow the inner command.
		if text := inner.Text(); !strings.Contains(part.Text(), text) {
			marks = append(marks, text)
		}
		found.Part, found.Marks = part, marks
	}
}

// OnlyText reports whether the arguments of a command are only text for users or for a search.
func (p Part) OnlyText() bool {
	switch name := p.Name(); name {
	case "echo", "printf", "grep", "egrep", "fgrep", "rg", "ag", "ack", "man", "which", "type", "whatis", "apropos", "whereis", "tldr",
		"jq", "gh", "glab", "cat", "cd", "test", "[", ":", "true", "cowsay", "say", "notify-send", "logger":
		return true
	case "rm", "rimraf", "srm", "shred", "dd": // assessor.dangers judges their arguments
		return true
	case "sed", "gsed", "awk", "gawk", "mawk", "nawk", "python", "python3", "node", "make", "gmake": // their scripts are judged as code
		return true
	case "find", "fd", "fdfind", "gfind":
		return true // the inner command is judged separately
	case "git":
		rest := WithoutGitOptions(p.Words[1:])
		return len(rest) > 0 && !slices.Contains([]string{"config", "mergetool", "clone", "archive"}, rest[0].Text)
	default:
		return strings.HasPrefix(name, "mkfs")
	}
}
