package permit

import (
	"slices"
	"strings"
)

// dangers notes what a simple command does that cannot be undone.
func (i *inspector) dangers(part Part) {
	name, args := part.name(), part.Words[1:]
	if name == "" {
		i.disguised(part)
		return
	}
	i.outputs(name, args)
	switch name {
	case "rm", "unlink", "shred", "srm", "rimraf", "del-cli", "trash", "wipe":
		i.removal(part, name, args)
	case "chmod", "chown", "chgrp", "setfacl", "chattr":
		i.rights(part, name, args)
	case "find", "gfind", "fd", "fdfind":
		i.searches(part, name, args)
	case "mv":
		i.moves(part, args)
	case "rsync":
		if hasLong(args, "--delete") {
			i.operands(part, "deletes what is not in the source,", "--delete", args[len(args)-1:])
		}
	case "cp", "install", "tee", "ln":
		for _, arg := range operands(args) {
			i.written(arg)
		}
		if name == "cp" && len(args) > 1 && args[len(args)-2].text == "/dev/null" {
			i.emptied(part, args[len(args)-1])
		}
	case "truncate":
		for _, arg := range behindSize(args) {
			i.written(arg)
			i.emptied(part, arg)
		}
	case "git":
		i.git(part, withoutGitOptions(args))
	case "dd":
		i.danger(part, "writes bytes over files or disks", append([]string{"dd"}, texts(args)...)...)
	case "kill", "killall", "pkill":
		i.ends = true
		i.kills(part, name, args)
	case "pgrep", "pidof":
		i.searched(part, args)
	case "crontab":
		if len(args) == 1 && args[0].text == "-l" { // only lists it
			return
		}
		i.danger(part, "replaces the user's table of timed commands", "crontab")
	case "tar", "gtar", "bsdtar":
		if hasLong(args, "--remove-files") {
			i.operands(part, "deletes what it packed,", "--remove-files", operands(args))
		}
	case "cd", "echo", "printf":
	default:
		if isDatabase(name) {
			i.database(part, args)
			return
		}
		i.program(part, name, args)
	}
}

// disguised is a command whose program is only known when it runs. If its other words
// delete recursively it counts as rm, and holes may be spaces: rm${IFS}-rf${IFS}/.
func (i *inspector) disguised(part Part) {
	split := strings.FieldsFunc(part.Words[0].text, func(r rune) bool { return string(r) == hole })
	if len(split) > 1 {
		var words []Word
		for _, text := range split {
			words = append(words, Word{text: strings.Trim(text, "{}")}) // {rm,-rf,/} is three words
		}
		i.dangers(Part{Words: append(words, part.Words[1:]...)})
		return
	}
	if recursive(part.Words[1:]) {
		i.operands(part, "may delete everything", "-r", operands(part.Words[1:]))
	}
}

// emptied notes a file outside that is made empty.
func (i *inspector) emptied(part Part, file Word) {
	if strings.HasPrefix(file.text, "/dev/") || strings.HasPrefix(file.text, "/tmp/") || i.locate(file) != outside {
		return
	}
	i.report.Dangers = append(i.report.Dangers, Danger{
		Part: part, Why: "empties a file outside the working directory", Marks: texts(part.Words), Try: "Write the file's new content with a tool for files, in the working directory.",
	})
}

// behindSize are the files of truncate.
func behindSize(args []Word) []Word {
	return wrapper{valued: "sr", long: "--size --reference"}.behind(args)
}

func (i *inspector) removal(part Part, name string, args []Word) {
	if name != "rimraf" && name != "shred" && !recursive(args) {
		// Single files: what is lost is small, unless a pattern or a protected one is meant.
		for _, arg := range operands(args) {
			if arg.glob && i.locate(arg) >= whole {
				i.danger(part, "deletes all files "+i.locate(arg).String(), name, arg.text)
				return
			}
			for _, dir := range i.dirs {
				if i.startsPrograms(i.absolute(arg, dir)) {
					i.danger(part, "deletes a file that the system or a login needs", name, arg.text)
					return
				}
			}
		}
		return
	}
	mark := name
	for _, arg := range args {
		if strings.HasPrefix(arg.text, "-") && recursive([]Word{arg}) {
			mark = arg.text
		}
	}
	i.operands(part, "deletes everything", mark, operands(args))
}

// operands notes a danger if one of the paths is not below the working directory.
func (i *inspector) operands(part Part, why, mark string, paths []Word) {
	worst, at := inside, Word{}
	for _, path := range paths {
		if found := i.locate(path); found > worst {
			worst, at = found, path
		}
	}
	if worst == inside {
		return
	}
	i.report.Dangers = append(i.report.Dangers, Danger{
		Part: part, Why: why + " " + worst.String(), Marks: []string{mark, at.text},
		Try: "Name what is to go by its path in the working directory, without variables.",
	})
}

func (i *inspector) rights(part Part, name string, args []Word) {
	if !hasShort(args, 'R') && !hasLong(args, "--recursive") {
		for _, path := range operands(args)[min(1, len(operands(args))):] {
			i.written(path)
		}
		return
	}
	paths := operands(args)
	if name != "chattr" && len(paths) > 0 && !hasLong(args, "--reference") {
		paths = paths[1:] // the mode or the owner
	}
	for _, path := range paths {
		if at := i.locate(path); at > whole {
			i.danger(part, "changes the rights of everything "+at.String(), name, path.text)
			return
		}
	}
}

func (i *inspector) searches(part Part, name string, args []Word) {
	if slices.ContainsFunc(args, func(w Word) bool { return w.text == "-delete" }) {
		from := starts(name, args)
		if selective(args) {
			for n := range from {
				from[n].text = something(from[n].text, "found")
			}
		}
		i.operands(part, "deletes what it finds", "-delete", from)
	}
	for n, arg := range args {
		if slices.Contains([]string{"-fprint", "-fprintf", "-fls", "-fprint0"}, arg.text) && n+1 < len(args) {
			i.written(args[n+1])
		}
	}
}

// moves notes what is moved away from outside, or out of existence.
func (i *inspector) moves(part Part, args []Word) {
	paths := operands(args)
	if len(paths) < 2 {
		return
	}
	target := paths[len(paths)-1]
	for _, source := range paths[:len(paths)-1] {
		at := i.locate(source)
		switch {
		case target.text == "/dev/null":
			i.danger(part, "moves something out of existence", "mv", "/dev/null")
			return
		case at == outside || at == whole:
			i.danger(part, "moves things away, "+at.String(), "mv", source.text)
			return
		}
	}
	i.written(target)
}

func (i *inspector) database(part Part, args []Word) {
	text := strings.ToLower(strings.Join(strings.Fields(strings.Join(texts(args), " ")), " ")) + " "
	for _, statement := range []string{"drop database", "drop schema", "drop table", "drop owned", "drop keyspace", "truncate ", "dropdatabase", "flushall", "flushdb", ".drop("} {
		if strings.Contains(text, statement) {
			i.danger(part, "destroys data of a database ("+strings.TrimSpace(statement)+")", strings.Fields(statement)...)
			return
		}
	}
	if at := strings.Index(text, "delete from"); at >= 0 && !strings.Contains(text[at:], "where") {
		i.danger(part, "deletes every row of a table", "delete")
	}
}
