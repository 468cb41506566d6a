package command

import (
	"path"
	"slices"
	"strings"
)

// A reading is a way in which a command uses its input.
type reading uint8

// Most programs, such as cat, tee or a project's own script, use their input as data.
const (
	data        reading = iota
	shellLines          // lines that a shell runs
	words               // words for xargs
	program             // a program for an interpreter
	statements          // statements for a database
	edits               // commands for an editor or a similar program
	recipes             // rules for make
	streamEdits         // a script for sed
)

// reads determines how the input of a command is used, and by which program. For sudo, docker exec,
// ssh and similar commands, the second result is the program that the command runs.
func (u *unwrapper) reads(part Part) (reading, Part) {
	for range MaxShells {
		if len(part.Words) == 0 {
			return data, part
		}
		if kind, known := u.readsItself(part); known {
			return kind, part
		}
		words := behindWrapper(part)
		if words == nil {
			break
		}
		part = Part{Words: words}
	}
	return u.readsWithin(part)
}

// readsItself returns how a command uses its input. The second result is false if the program is
// unknown, or could pass its input to another command.
func (u *unwrapper) readsItself(part Part) (kind reading, known bool) {
	name, args := part.Name(), part.Words[1:]
	switch {
	case isShell(name):
		if command := afterOption(args, "c"); command != nil || slices.ContainsFunc(args, endsIn("c")) {
			if len(command) == 0 {
				return words, true
			}
			return data, false // the command that follows -c might read the input
		}
		return kindIf(readsInput(args, "oO", "--rcfile --init-file"), shellLines), true
	case name == "source" || name == ".":
		return kindIf(len(args) > 0 && standardInput(args[0].Text), shellLines), true
	case name == "xargs" || name == "parallel":
		return words, true
	case languageOf(name) != noLanguage:
		return u.readsProgram(name, args)
	case isDatabase(name):
		return statements, true
	case name == "make" || name == "gmake" || name == "bmake":
		for n := range args {
			for _, option := range []string{"-f", "--file", "--makefile"} {
				if value, ok := optionValue(args, n, option); ok && standardInput(value.Text) {
					return recipes, true
				}
			}
		}
		return data, true
	case isEditor(name):
		return edits, true
	case name == "sed" || name == "gsed":
		for n := range args {
			if value, ok := optionValue(args, n, "-f"); ok && standardInput(value.Text) {
				return streamEdits, true
			}
		}
		return data, true
	case name == "ssh" && len(remoteCommand(args)) == 0:
		u.setRemote()
		return shellLines, true
	case name == "tee":
		return data, true
	}
	return data, false
}

// readsProgram implements u.readsItself for interpreters. If the arguments contain a program, the
// input is data.
func (u *unwrapper) readsProgram(name string, args []Word) (reading, bool) {
	language := languageOf(name)
	if language == awk {
		for n := range args {
			if value, ok := optionValue(args, n, "-f"); ok && standardInput(value.Text) {
				return program, true
			}
		}
		return data, true
	}
	if len(codeOf(name, args)) > 0 {
		return data, true
	}
	if len(args) > 0 && (args[0].Text == "run" || args[0].Text == "repl") && (name == "deno" || name == "bun") {
		args = args[1:]
	}
	return kindIf(readsInput(args, language.valueLetters(), "--require --import --loader --input-type"), program), true
}

// readsWithin searches a command's arguments for a program that reads the command's input. For
// example, it finds "bash -s" in "ssh HOST 'cd /srv && bash -s'".
func (u *unwrapper) readsWithin(part Part) (reading, Part) {
	if part.OnlyText() {
		return data, part
	}
	var fields []Word
	for _, word := range part.Words[min(1, len(part.Words)):] {
		for _, field := range strings.Fields(word.Text) {
			fields = append(fields, Word{Text: strings.Trim(field, "'\"();")})
		}
	}
	u.looked += len(fields)
	for n := range fields {
		within := Part{Words: fields[n:]}
		if end := slices.IndexFunc(fields[n:], func(w Word) bool { return strings.ContainsAny(w.Text, "&|;<>") || w.Text == "" }); end > 0 {
			within.Words = fields[n : n+end]
		}
		if name := within.Name(); !isShell(name) && languageOf(name) == noLanguage && !isDatabase(name) {
			continue
		}
		if kind, _ := u.readsItself(within); kind != data {
			if part.Name() == "ssh" {
				u.setRemote()
			}
			return kind, within
		}
	}
	return data, part
}

func kindIf(yes bool, kind reading) reading {
	if yes {
		return kind
	}
	return data
}

// readsInput reports whether a program reads its standard input. It does so if the arguments name
// no file, or name standard input. The two strings list the options that take a value: first the
// one-letter options, then the long options.
func readsInput(args []Word, valued, long string) bool {
	for n := 0; n < len(args); n++ {
		text := args[n].Text
		switch {
		case text == "--" || text == "-s":
			return text == "-s" || n+1 == len(args) || standardInput(args[n+1].Text)
		case standardInput(text):
			return true
		case strings.HasPrefix(text, "--"):
			n += countOf(slices.Contains(strings.Fields(long), text))
		case strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+"):
			n += countOf(strings.IndexAny(text[1:], valued) == len(text)-2)
		default:
			return false
		}
	}
	return true
}

func standardInput(text string) bool {
	switch text {
	case "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
		return true
	}
	return false
}

func isShell(name string) bool {
	switch name {
	case "bash", "sh", "zsh", "dash", "ksh", "ash", "mksh", "rbash", "fish", "csh", "tcsh", "ksh93", "posh", "yash":
		return true
	}
	return false
}

func isEditor(name string) bool {
	switch name {
	case "ed", "ex", "red", "vi", "vim", "nvim", "view", "gdb", "lldb", "dc", "ftp", "sftp", "lftp", "gnuplot":
		return true
	}
	return false
}

func isDatabase(name string) bool {
	switch name {
	case "psql", "mysql", "mariadb", "sqlite3", "mongosh", "mongo", "redis-cli", "clickhouse-client", "cqlsh", "sqlcmd", "duckdb":
		return true
	}
	return false
}

// endsIn returns a function that matches options. For example, endsIn("c") matches "-c" and "-xc".
func endsIn(letter string) func(Word) bool {
	return func(w Word) bool {
		return strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.HasSuffix(w.Text, letter)
	}
}

// behindWrapper returns the command that a program such as sudo or docker exec runs. It returns nil
// if there is none.
func behindWrapper(part Part) []Word {
	name, args := part.Name(), part.Words[1:]
	if form, ok := WrapperOf(name); ok {
		return form.commandIn(args)
	}
	return behindRunner(path.Base(name), args)
}

// programs inspects code in the arguments of interpreters, sed, editors and make.
func (i *inspector) programs(part Part, depth int) {
	name := part.Name()
	args := part.Words[1:]
	switch {
	case languageOf(name) != noLanguage:
		for _, text := range codeOf(name, args) {
			i.generated(part, text)
			i.unreadProgram(part, text.Text)
			i.code(part, languageOf(name), text.Text, depth)
		}
	case name == "sed" || name == "gsed":
		for _, text := range SedScripts(args) {
			if !PlainSed(text.Text) {
				i.unread("the script for sed might start programs")
			}
			i.streamEdits(part, text.Text, depth)
		}
	case isEditor(name):
		if len(args) > 0 && slices.ContainsFunc(args, func(w Word) bool { return strings.HasPrefix(w.Text, "-") || strings.HasPrefix(w.Text, "+") }) {
			i.unread("the commands for %s might start programs", name)
		}
		editReader{i, part, depth}.arguments()
	case name == "make" || name == "gmake":
		for n := range args {
			if value, ok := optionValue(args, n, "--eval"); ok {
				i.makefile(value.Text, depth)
			}
			if value, ok := strings.CutPrefix(args[n].Text, "SHELL="); ok {
				i.script(strings.ReplaceAll(value, Hole, unknownValue), depth)
			}
		}
	}
}
