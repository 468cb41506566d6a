package command

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A fully understood command line runs in the sandbox without approval if all its commands are
// read-only. The tables below list read-only programs and their forbidden options. All other
// programs are assumed to write.

// Readers returns the programs that only read. The value for a program lists the options that are
// not allowed, for example because they write files or start programs.
var Readers = sync.OnceValue(func() map[string]string {
	all := map[string]string{
		"file": "-C --compile", "date": "-s --set", "tree": "-o --output", "sort": "-o --output -T --temporary-directory --compress-program", "rg": "--pre --hostname-bin -z --search-zip",
		"fd": "-x -X --exec --exec-batch", "fdfind": "-x -X --exec --exec-batch", "find": "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls", "gfind": "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls",
		"tail": "-f -F --follow --retry", "hostname": "-F --file -b", "ps": "", "gofmt": "-w --w -cpuprofile --cpuprofile", "shuf": "-o --output", "diff": "--output",
	}
	for _, name := range strings.Fields(`ls cat head wc stat du df pwd echo printf test [ true false : basename dirname realpath readlink nl tac rev cut paste join comm tr fold fmt expand
		unexpand column od hexdump strings md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum seq uname whoami id groups nproc arch uptime free lscpu lsblk which type
		cmp jq grep egrep fgrep printenv locale getconf tty expr numfmt tsort pgrep pidof lsof cloc tokei`) {
		all[name] = ""
	}
	return all
})

// versions is the set of programs that are read-only if their only argument is "--version", "-V" or
// "version".
var versions = WordSet("python", "python3", "node", "npm", "pnpm", "yarn", "bun", "deno", "cargo", "rustc", "rustup", "gcc", "g++", "clang", "make", "cmake", "java", "javac", "ruby", "php", "perl", "docker", "podman", "git", "gh",
	"tsc", "pip", "pip3", "uv", "poetry", "go", "gofmt", "golangci-lint", "eslint", "kubectl", "helm", "terraform", "psql", "sqlite3", "bash", "zsh", "curl", "rg", "jq", "ninja", "mvn", "gradle", "dotnet", "swift", "zig", "ffmpeg")

// subreaders contains the subcommands that only read. The value for a subcommand lists the options
// that are not allowed.
var subreaders = map[string]string{
	"go version": "", "go env": "-w -u", "go list": "-exec -toolexec -mod -modfile -overlay -vettool -C", "go vet": "-exec -toolexec -mod -modfile -overlay -vettool -C -fix", "go doc": "", "go help": "",
	"npm ls": "", "npm list": "", "npm root": "", "npm prefix": "", "pip list": "", "pip show": "", "pip freeze": "", "pip3 list": "", "pip3 show": "", "pip3 freeze": "",
}

// onlyReads computes [Report.ReadOnly].
func (i *inspector) onlyReads() bool {
	report := i.report
	if len(report.Parts) == 0 || i.defines || report.Unclear != "" || report.Unread != "" || i.closed || len(report.Dangers) > 0 || len(report.sends) > 0 {
		return false
	}
	return !slices.ContainsFunc(report.Parts, func(part Part) bool { return part.Inner || part.Root || !i.partReads(part) })
}

// partReads is like onlyReads, but for one command.
func (i *inspector) partReads(part Part) bool {
	name, args := part.Name(), part.Words[1:]
	if name == "" || name != part.Words[0].Text && !strings.HasPrefix(part.Words[0].Text, "/usr/bin/") && !strings.HasPrefix(part.Words[0].Text, "/bin/") {
		return false // the program is unknown, or is in an unusual directory
	}
	if versions[name] && len(args) == 1 && oneOf(args, "--version", "-V", "version") != "" {
		return true
	}
	refused, known := Readers()[name]
	switch {
	case known:
		return knownWords(args) && LacksOptions(args, refused) && i.readsHere(name, args)
	case slices.ContainsFunc(args, func(w Word) bool { return w.unknown() || w.Glob && strings.IndexAny(w.Text, "*?[-") == 0 }):
		return name == "xargs" && i.wraps(name, args)
	}
	switch name {
	case "cd":
		return len(args) == 1 && i.locate(args[0]) <= whole
	case "command", "builtin", "time", "nice", "timeout", "xargs":
		return i.wraps(name, args)
	case "bash", "sh":
		if len(args) == 2 && args[0].Text == "-n" { // with -n the shell only parses the script
			return !strings.HasPrefix(args[1].Text, "-") && knownWords(args) && i.allHere(args[1:])
		}
		return len(args) == 2 && (args[0].Text == "-c" || args[0].Text == "-lc") // the script is a separate part
	case "uniq", "xxd":
		return len(operands(args)) <= 1 && !hasShort(args, 'r') && i.allHere(operands(args))
	case "hash", "env":
		return len(args) == 0
	case "sed", "gsed":
		return i.sedReads(args)
	case "awk", "gawk", "mawk":
		return i.awkReads(args)
	case "git":
		return i.gitReads(args)
	}
	if len(args) > 0 {
		refused, known = subreaders[name+" "+args[0].Text]
		return known && LacksOptions(args[1:], refused)
	}
	return false
}

// wraps returns true if a wrapper has no options that read or write files and, unless it is xargs,
// contains a command. That command is judged as a separate [Part].
func (i *inspector) wraps(name string, args []Word) bool {
	return LacksOptions(args, "-o --output -a --arg-file --append") && (name == "xargs" || len(behindWrapper(Part{Words: append([]Word{{Text: name}}, args...)})) > 0)
}

// knownWords reports whether each word is known. A word that another command produces counts as
// known.
func knownWords(args []Word) bool {
	return !slices.ContainsFunc(args, func(w Word) bool { return w.unknown() && w.runs == nil && !w.fed && !w.pipe })
}

// LacksOptions returns false if args contain an option from a space-separated list. The option can
// be abbreviated, have a value, or be combined with other letters. LacksOptions also returns false
// if a word is known only at run time, because the word could be an option.
func LacksOptions(args []Word, options string) bool {
	if options == "" {
		return true
	}
	for _, arg := range args {
		text, _, _ := strings.Cut(arg.Text, "=")
		if arg.unknown() && !arg.pipe || arg.Glob && strings.IndexAny(arg.Text, "*?[") == 0 { // the word may be an option
			return false
		}
		for option := range strings.FieldsSeq(options) {
			letter := len(option) == 2 && !strings.HasPrefix(text, "--") && strings.HasPrefix(text, "-") && strings.IndexByte(text, option[1]) > 0
			if text == option || letter || strings.HasPrefix(option, "--") && len(text) > 3 && strings.HasPrefix(option, text) {
				return false
			}
		}
	}
	return true
}

// readsHere applies i.allHere to the files named in a command's arguments.
func (i *inspector) readsHere(name string, args []Word) bool {
	list := operands(args)
	switch name {
	case "echo", "printf", "expr", "seq", "which", "type", "uname", "date", "tr", "pgrep", "printenv", "getconf":
		return true
	case "find", "gfind":
		list = starts(name, args)
	case "hostname":
		return len(list) == 0
	case "grep", "egrep", "fgrep", "rg", "jq", "fd", "fdfind":
		if !hasShort(args, 'e') && !hasShort(args, 'f') && len(list) > 0 {
			list = list[1:] // skip the pattern
		}
	}
	return i.allHere(list)
}

// allHere reports whether each given file is in the working directory or outside all home
// directories.
func (i *inspector) allHere(files []Word) bool {
	return !slices.ContainsFunc(files, func(file Word) bool {
		if file.runs != nil || file.fed || file.pipe {
			return false // another command produces the file's name or content
		}
		return slices.ContainsFunc(i.dirs, func(dir string) bool {
			path := i.absolute(file, dir)
			return path == "" || !i.inProject(path) && (i.place.Home == "" || below(path, i.place.Home) || below(i.place.Home, path) || strings.HasPrefix(path, "/home/") || strings.HasPrefix(path, "/root"))
		})
	})
}

func (i *inspector) sedReads(args []Word) bool {
	for _, arg := range args {
		switch text := arg.Text; {
		case strings.HasPrefix(text, "--") && text != "--quiet" && text != "--silent" && text != "--regexp-extended" && text != "--separate":
			return false
		case strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") && strings.Trim(text[1:], "nErsze") != "":
			return false
		}
	}
	scripts := SedScripts(args)
	if len(scripts) == 0 || slices.ContainsFunc(scripts, func(script Word) bool { return !PlainSed(script.Text) }) {
		return false
	}
	files := operands(args)
	if !hasShort(args, 'e') && len(files) > 0 {
		files = files[1:]
	}
	return i.allHere(files)
}

func (i *inspector) awkReads(args []Word) bool {
	for n := 0; n < len(args); n++ {
		text := args[n].Text
		switch {
		case text == "-F" || text == "-v":
			n++
		case strings.HasPrefix(text, "-F"):
		case strings.HasPrefix(text, "-"):
			return false
		default:
			return plainAwk(text) && i.allHere(args[n+1:])
		}
	}
	return false
}

var awkTexts = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`) })

// plainAwk reports whether an awk program clearly starts no other program and writes no file. It
// returns false for a ">" inside braces and outside parentheses, because this could be a
// redirection.
func plainAwk(program string) bool {
	if strings.Contains(program, "system") || strings.ContainsAny(program, "@\\"+Hole) {
		return false
	}
	program = strings.ReplaceAll(awkTexts().ReplaceAllString(program, "0"), "||", " ")
	braces, parentheses := 0, 0
	for _, sign := range program {
		switch sign {
		case '{':
			braces++
		case '}':
			braces--
		case '(':
			parentheses++
		case ')':
			parentheses--
		case '|', '"':
			return false
		case '>':
			if braces > 0 && parentheses == 0 {
				return false
			}
		}
	}
	return true
}

// sedCommands matches a sed script that only prints, deletes or replaces text.
var sedCommands = sync.OnceValue(func() *regexp.Regexp {
	const address = `(?:\d+|\$|/(?:[^/\\\n]|\\.)*/I?)(?:~\d+)?`
	const substitute = `s/(?:[^/\\\n]|\\.)*/(?:[^/\\\n]|\\.)*/[gpiI0-9]*|s\|(?:[^|\\\n]|\\.)*\|(?:[^|\\\n]|\\.)*\|[gpiI0-9]*|s#(?:[^#\\\n]|\\.)*#(?:[^#\\\n]|\\.)*#[gpiI0-9]*|s,(?:[^,\\\n]|\\.)*,(?:[^,\\\n]|\\.)*,[gpiI0-9]*`
	const command = `\s*(?:` + address + `(?:,[+~]?\d*` + `|,` + address + `)?)?\s*!?\s*(?:[pdqQ=]|` + substitute + `)\s*`
	return regexp.MustCompile(`^(?:` + command + `[;\n]?)+$`)
})

// PlainSed reports whether a sed script only prints, deletes and replaces.
func PlainSed(script string) bool {
	return !strings.Contains(script, Hole) && sedCommands().MatchString(script)
}

// HandlesFiles reports whether a program's arguments are files or text, never a command.
func HandlesFiles(name string) bool {
	switch name {
	case "ls", "cd", "cp", "mv", "rm", "ln", "mkdir", "rmdir", "touch", "chmod", "chown", "chgrp", "cat", "head", "tail", "wc", "stat", "file", "du", "df", "diff", "cmp",
		"sort", "uniq", "cut", "tee", "basename", "dirname", "realpath", "readlink", "tar", "zip", "unzip", "gzip", "install", "curl", "wget", "tree", "less", "more", "md5sum", "sha256sum",
		"export", "read", "printf", "set", "unset", "apt", "apt-get", "dpkg", "code", "vim", "nano":
		return true
	}
	return false
}

func WordSet(list ...string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, each := range list {
		set[each] = true
	}
	return set
}
