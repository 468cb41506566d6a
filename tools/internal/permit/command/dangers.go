package command

import (
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// assessor finds irreversible effects of commands.
type assessor struct {
	*findings
	*effort
	*whereabouts
	ends   bool   // whether any command in the line kills processes
	sought []Part // commands that search for essential processes
}

func (a *assessor) dangers(part Part) {
	name, args := part.Name(), part.Words[1:]
	if name == "" {
		a.judgeDisguised(part)
		return
	}
	a.outputs(name, args)
	switch name {
	case "rm", "unlink", "shred", "srm", "rimraf", "del-cli", "trash", "wipe":
		a.removal(part, name, args)
	case "chmod", "chown", "chgrp", "setfacl", "chattr":
		a.rights(part, name, args)
	case "find", "gfind", "fd", "fdfind":
		a.searches(part, name, args)
	case "mv":
		a.moves(part, args)
	case "rsync":
		if hasLong(args, "--delete") {
			a.operands(part, "deletes files that the source does not have,", "--delete", args[len(args)-1:])
		}
	case "cp", "install", "tee", "ln":
		for _, arg := range operands(args) {
			a.checkWrite(arg)
		}
		if name != "tee" {
			a.checkInto(args)
		}
		if name == "cp" && len(args) > 1 && args[len(args)-2].Text == "/dev/null" {
			a.emptied(part, args[len(args)-1])
		}
	case "truncate":
		for _, arg := range truncateOperands(args) {
			a.checkWrite(arg)
			a.emptied(part, arg)
		}
	case "git":
		a.halfway(part)
		a.git(part, WithoutGitOptions(args))
	case "dd":
		a.danger(part, "overwrites files or disks", append([]string{"dd"}, Texts(args)...)...)
	case "kill", "killall", "pkill":
		a.ends = true
		a.kills(part, name, args)
	case "pgrep", "pidof":
		a.recordSearch(part, args)
	case "crontab":
		if len(args) == 1 && args[0].Text == "-l" { // "crontab -l" changes nothing
			return
		}
		a.danger(part, "replaces the user's crontab", "crontab")
	case "tar", "gtar", "bsdtar":
		if hasLong(args, "--remove-files") {
			a.operands(part, "deletes what it packed,", "--remove-files", operands(args))
		}
	case "cd", "echo", "printf":
	default:
		if isDatabase(name) {
			a.database(part, args)
			return
		}
		a.program(part, name, args)
	}
}

// checkWrite reports output that goes to a disk device, or to a file that controls which
// programs run.
func (a *assessor) checkWrite(target Word) {
	part := Part{Words: []Word{{Text: ">"}, target}}
	if device(target.Text) {
		a.danger(part, "writes over a disk", target.Text)
		return
	}
	for _, dir := range a.dirs {
		path := a.absolute(target, dir)
		if place, protects := a.protects(path); protects {
			a.danger(part, "changes "+place.Row.What+" ("+place.Row.Why+")", target.Text)
			return
		}
		if a.ofSystem(path) {
			a.danger(part, "changes what runs at the next login, shell or git command", target.Text)
			return
		}
	}
}

// judgeDisguised judges a command whose program is known only at run time. A hole in the first word
// could be a space, as in "rm${IFS}-rf${IFS}/". A command that asks for recursive deletion counts
// as rm.
func (a *assessor) judgeDisguised(part Part) {
	split := strings.FieldsFunc(part.Words[0].Text, func(r rune) bool { return string(r) == Hole })
	if len(split) > 1 {
		var words []Word
		for _, text := range split {
			words = append(words, Word{Text: strings.Trim(text, "{}")}) // {rm,-rf,/} becomes three words
		}
		a.dangers(Part{Words: append(words, part.Words[1:]...)})
		return
	}
	if recursive(part.Words[1:]) {
		a.operands(part, "may delete everything", "-r", operands(part.Words[1:]))
	}
}

// emptied adds a danger if a command empties a file outside the working directory. It ignores files
// in /dev and /tmp.
func (a *assessor) emptied(part Part, file Word) {
	if strings.HasPrefix(file.Text, "/dev/") || strings.HasPrefix(file.Text, "/tmp/") || a.locate(file) != outside {
		return
	}
	a.report.Dangers = append(a.report.Dangers, Danger{
		Part: part, Why: "empties a file outside the working directory", Marks: Texts(part.Words), Try: "Write the new content with a file tool, in the working directory.",
	})
}

// truncateOperands returns the operands of a truncate command: the files that it would change.
func truncateOperands(args []Word) []Word {
	return wrapper{valued: "sr", long: "--size --reference"}.commandIn(args)
}

func (a *assessor) removal(part Part, name string, args []Word) {
	if name != "rimraf" && name != "shred" && !recursive(args) {
		// Without recursion, only file patterns and protected files are dangerous.
		for _, arg := range operands(args) {
			if arg.Glob && a.locate(arg) >= whole {
				a.danger(part, "deletes all files "+a.locate(arg).String(), name, arg.Text)
				return
			}
			for _, dir := range a.dirs {
				if a.startsPrograms(a.absolute(arg, dir)) {
					a.danger(part, "deletes a file that the system or a login needs", name, arg.Text)
					return
				}
			}
		}
		return
	}
	mark := name
	for _, arg := range args {
		if strings.HasPrefix(arg.Text, "-") && recursive([]Word{arg}) {
			mark = arg.Text
		}
	}
	a.operands(part, "deletes files", mark, operands(args))
}

// operands adds a danger to the report unless the location of every path is [inside].
func (a *assessor) operands(part Part, why, mark string, paths []Word) {
	worst, at := inside, Word{}
	for _, path := range paths {
		if found := a.locate(path); found > worst {
			worst, at = found, path
		}
	}
	if worst == inside {
		return
	}
	a.report.Dangers = append(a.report.Dangers, Danger{
		Part: part, Why: why + " " + worst.String(), Marks: []string{mark, at.Text},
		Try: "Name the files to delete by their paths in the working directory, without variables.",
	})
}

func (a *assessor) rights(part Part, name string, args []Word) {
	if !hasShort(args, 'R') && !hasLong(args, "--recursive") {
		for _, path := range operands(args)[min(1, len(operands(args))):] {
			a.checkWrite(path)
		}
		return
	}
	paths := operands(args)
	if name != "chattr" && len(paths) > 0 && !hasLong(args, "--reference") {
		paths = paths[1:] // the first operand is the mode or the owner
	}
	for _, path := range paths {
		if at := a.locate(path); at > whole {
			a.danger(part, "changes the permissions or the owner of everything "+at.String(), name, path.Text)
			return
		}
	}
}

func (a *assessor) searches(part Part, name string, args []Word) {
	if slices.ContainsFunc(args, func(w Word) bool { return w.Text == "-delete" }) {
		from := starts(name, args)
		if selective(args) {
			for n := range from {
				from[n].Text = anyPathBelow(from[n].Text, "found")
			}
		}
		a.operands(part, "deletes what it finds", "-delete", from)
	}
	for n, arg := range args {
		if slices.Contains([]string{"-fprint", "-fprintf", "-fls", "-fprint0"}, arg.Text) && n+1 < len(args) {
			a.checkWrite(args[n+1])
		}
	}
}

// moves adds a danger to the report if a command moves files to /dev/null, or from the working
// directory to the sandbox's own /tmp. A move of the whole working directory, of its repository or
// of outside files is also a danger.
func (a *assessor) moves(part Part, args []Word) {
	sources, target, _ := moved(args)
	for _, source := range sources {
		at := a.locate(source)
		switch {
		case target.Text == "/dev/null":
			a.danger(part, "moves a file to /dev/null, where it is lost", "mv", "/dev/null")
			return
		case at == outside || at == whole:
			a.danger(part, "moves things away, "+at.String(), "mv", source.Text)
			return
		case at == inside && a.leavesForTemp(source, target):
			a.report.Dangers = append(a.report.Dangers, Danger{
				Part: part, Why: "moves files out of the working directory into the sandbox's own /tmp, which is deleted when Marvin ends", Marks: []string{"mv", target.Text},
				Try: "Move them to a directory below the working directory.",
			})
			return
		}
	}
	a.checkInto(args)
}

// checkInto checks the files that mv, cp, install or ln would write, until it finds a danger. The
// target can be a directory or the new path of the only source.
func (a *assessor) checkInto(args []Word) {
	sources, target, _ := moved(args)
	before := len(a.report.Dangers)
	for n := 0; n < len(sources) && len(a.report.Dangers) == before; n++ {
		a.checkWrite(target)
		if len(a.report.Dangers) == before {
			a.checkWrite(entryOf(target, sources[n]))
		}
	}
}

// entryOf returns the path of a source that was copied or moved into a directory.
func entryOf(directory, source Word) Word {
	directory.Text = strings.TrimSuffix(directory.Text, "/") + "/" + filepath.Base(source.Text)
	return directory
}

// moved returns the sources and the target of mv, cp, install or ln. The target can be the value of
// an option; named is true in that case. If there is no target, moved returns no sources.
func moved(args []Word) (sources []Word, target Word, named bool) {
	for n := 0; n < len(args); n++ {
		text := args[n].Text
		if text == "--" {
			sources = append(sources, args[n+1:]...)
			break
		}
		if text == "-" || !strings.HasPrefix(text, "-") {
			sources = append(sources, args[n])
			continue
		}
		option, value, found := strings.Cut(text, "=")
		letter := byte('t')
		switch at := strings.IndexAny(text, "tS"); {
		case strings.HasPrefix(text, "--") && len(option) > 2 && strings.HasPrefix("--target-directory", option):
		case strings.HasPrefix(text, "--") && len(option) > 3 && strings.HasPrefix("--suffix", option):
			letter = 'S'
		case strings.HasPrefix(text, "--") || at < 0:
			continue
		default: // such as -vt
			letter, value = text[at], text[at+1:]
			found = value != ""
		}
		word := Word{Text: value, runs: args[n].runs, tilde: strings.HasPrefix(value, "~")}
		if !found && n+1 < len(args) {
			n++
			word = args[n]
		}
		if letter == 't' {
			target, named = word, true
		}
	}
	if named || len(sources) == 0 {
		return sources, target, named
	}
	return sources[:len(sources)-1], sources[len(sources)-1], false
}

func (a *assessor) database(part Part, args []Word) {
	text := strings.ToLower(strings.Join(strings.Fields(strings.Join(Texts(args), " ")), " ")) + " "
	for _, statement := range []string{"drop database", "drop schema", "drop table", "drop owned", "drop keyspace", "truncate ", "dropdatabase", "flushall", "flushdb", ".drop("} {
		if strings.Contains(text, statement) {
			a.danger(part, "destroys data in a database ("+strings.TrimSpace(statement)+")", strings.Fields(statement)...)
			return
		}
	}
	if at := strings.Index(text, "delete from"); at >= 0 && !strings.Contains(text[at:], "where") {
		a.danger(part, "deletes every row of a table", "delete")
	}
}

// function detects a fork bomb: a shell function that pipes one call of itself into another.
func (a *assessor) function(function *syntax.FuncDecl) {
	if function.Name == nil {
		return
	}
	name := function.Name.Value
	calls := func(node syntax.Node) bool {
		found := false
		a.walk(node, func(node syntax.Node) bool {
			if call, ok := node.(*syntax.CallExpr); ok && len(call.Args) > 0 && call.Args[0].Lit() == name {
				found = true
			}
			return !found
		})
		return found
	}
	a.walk(function.Body, func(node syntax.Node) bool {
		binary, ok := node.(*syntax.BinaryCmd)
		if ok && (binary.Op == syntax.Pipe || binary.Op == syntax.PipeAll) && calls(binary.X) && calls(binary.Y) {
			a.danger(Part{Words: []Word{{Text: name}}}, "starts copies of itself without end")
		}
		return true
	})
}
