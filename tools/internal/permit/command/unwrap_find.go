package command

import (
	"slices"
	"strings"
)

// findRuns returns the commands in options of find, such as -exec. In these commands, a path that
// represents the output of find replaces "{}".
func (u *unwrapper) findRuns(name string, args []Word) []inner {
	var list []inner
	beginning := ""
	if selective(args) {
		beginning = "found"
	}
	for n := 0; n < len(args); n++ {
		if !runsFound(args[n].Text) {
			continue
		}
		end := n + 1
		for end < len(args) && args[end].Text != ";" && args[end].Text != "+" {
			end++
		}
		for _, start := range starts(name, args) {
			if u.looked += end - n; u.tired() {
				return list
			}
			words := slices.Clone(args[n+1 : end])
			for k := range words {
				words[k].Glob = words[k].Glob || strings.Contains(words[k].Text, "{}") // find replaces "{}" with many paths
				words[k].Text = strings.ReplaceAll(words[k].Text, "{}", anyPathBelow(start.Text, beginning))
				words[k].tilde = words[k].tilde || start.tilde && strings.Contains(args[n+1+k].Text, "{}")
			}
			list = append(list, inner{words: words})
		}
		// "{}" might be meant for a program that the shell runs, not for "find"
		if shell := (Part{Words: args[n+1 : end]}); isShell(shell.Name()) {
			list = append(list, inner{words: shell.Words})
		}
		n = end
	}
	return list
}

// anyPathBelow returns a path that represents all possible output of a find command. If namePrefix
// is not empty, the output excludes the start directory.
func anyPathBelow(start, namePrefix string) string {
	return strings.TrimSuffix(start, "/") + "/" + namePrefix + Hole
}

// selective returns true if a find command has a test such as -name.
func selective(args []Word) bool {
	return slices.ContainsFunc(args, func(w Word) bool {
		switch w.Text {
		case "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-empty", "-mtime", "-mmin", "-size", "-newer", "-perm", "-links":
			return true
		}
		return false
	})
}

// starts collects the directories that a find or fd command searches.
func starts(name string, args []Word) []Word {
	var list []Word
	for _, arg := range args {
		switch begins := strings.HasPrefix(arg.Text, "-") || arg.Text == "(" || arg.Text == "!"; {
		case !begins:
			list = append(list, arg)
			continue
		case strings.HasPrefix(name, "fd") && !runsFound(arg.Text), slices.Contains([]string{"-H", "-L", "-P"}, arg.Text):
			continue // fd allows options between operands; values of options count as operands
		}
		break
	}
	if strings.HasPrefix(name, "fd") && len(list) > 0 && strings.IndexAny(list[0].Text, "/~.") != 0 {
		list = list[1:] // skip the pattern
	}
	if len(list) == 0 {
		return []Word{{Text: "."}}
	}
	return list
}

// runsFound reports whether an option, such as -exec, is followed by a command.
func runsFound(option string) bool {
	switch option {
	case "-exec", "-execdir", "-ok", "-okdir", "-x", "--exec", "-X", "--exec-batch":
		return true
	}
	return false
}
