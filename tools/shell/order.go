package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"marvin/tools"
)

// places returns the working directory and the command's own directory (in.Cwd), if any. For a
// background command, it also returns the list of jobs. If the command evidently only reads, Write
// is false for the directories.
func places(env tools.Env, in commandArgs) []tools.Place {
	write := !onlyReads(in.Command)
	places := []tools.Place{env.PlaceAt(".", write)}
	if in.Cwd != "" {
		// Directory accepts paths outside the working directory
		if dir, err := env.Directory(in.Cwd); err == nil {
			places = append(places, env.PlaceAt(dir, write))
		}
	}
	if in.Background {
		places = append(places, tools.Place{State: "jobs", Write: true})
	}
	return places
}

// readers contains the names of programs that usually change no file. The exceptions depend on the
// arguments: see writingArgs and reader().
var readers = []string{
	"[", "basename", "cat", "cd", "cmp", "comm", "cut", "date", "df", "diff", "dirname", "du", "echo", "env", "expr", "false", "file", "find", "git", "grep",
	"head", "id", "jq", "ls", "nl", "nproc", "od", "pgrep", "printenv", "printf", "ps", "pwd", "readlink", "realpath", "rg", "seq", "sha256sum", "sleep", "sort", "stat",
	"strings", "tail", "test", "tr", "tree", "true", "type", "uname", "uniq", "wc", "which", "whoami", "xxd",
}

// writingArgs maps a program to those of its arguments that can cause changes.
var writingArgs = map[string][]string{
	"find": {"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"},
	"sort": {"-o", "--output", "--compress-program"}, "rg": {"--pre"}, "tree": {"-o"}, "date": {"-s", "--set"}, "xxd": {"-r"},
	"diff": {"--output"}, "file": {"-C"},
}

// lookers are the git subcommands that only read.
var lookers = []string{"blame", "cat-file", "describe", "diff", "grep", "log", "ls-files", "ls-tree", "merge-base", "rev-list", "rev-parse", "shortlog", "show", "status"}

// onlyReads reports whether a command line is known to change nothing.
func onlyReads(line string) bool {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		return false
	}
	reads := true
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.Redirect:
			reads = reads && harmless(node)
		case *syntax.CallExpr:
			reads = reads && len(node.Assigns) == 0 && reader(node.Args)
		case *syntax.FuncDecl, *syntax.DeclClause, *syntax.CoprocClause:
			reads = false
		}
		return reads
	})
	return reads
}

// harmless returns true if a redirection reads input, copies a descriptor, or writes to /dev/null.
func harmless(redirect *syntax.Redirect) bool {
	switch redirect.Op {
	case syntax.RdrIn, syntax.DplIn, syntax.DplOut, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return true
	}
	return redirect.Word.Lit() == "/dev/null"
}

func reader(words []*syntax.Word) bool {
	if len(words) == 0 {
		return true
	}
	name := words[0].Lit()
	if !slices.Contains(readers, name) {
		return false
	}
	if name == "git" {
		return len(words) > 1 && slices.Contains(lookers, words[1].Lit()) && !slices.ContainsFunc(words, func(word *syntax.Word) bool {
			return strings.HasPrefix(word.Lit(), "--output") || strings.HasPrefix(word.Lit(), "--ext-diff")
		})
	}
	if name == "uniq" || name == "env" {
		return len(words) == 1 // an operand of uniq can be an output file, and an operand of env can be a program
	}
	for _, word := range words[1:] {
		if slices.ContainsFunc(writingArgs[name], func(option string) bool { return strings.HasPrefix(word.Lit(), option) }) {
			return false
		}
	}
	return true
}
