package permit

import (
	"slices"
	"strings"
)

// found is what find runs, with {} as something below where it starts.
func (u *unwrapper) found(name string, args []Word) []inner {
	var list []inner
	beginning := ""
	if selective(args) {
		beginning = "found"
	}
	for n := 0; n < len(args); n++ {
		if !runsFound(args[n].text) {
			continue
		}
		end := n + 1
		for end < len(args) && args[end].text != ";" && args[end].text != "+" {
			end++
		}
		for _, start := range starts(name, args) {
			if u.looked += end - n; u.tired() {
				return list
			}
			words := slices.Clone(args[n+1 : end])
			for k := range words {
				words[k].glob = words[k].glob || strings.Contains(words[k].text, "{}") // many of them
				words[k].text = strings.ReplaceAll(words[k].text, "{}", something(start.text, beginning))
				words[k].tilde = words[k].tilde || start.tilde && strings.Contains(args[n+1+k].text, "{}")
			}
			list = append(list, inner{words: words})
		}
		if shell := (Part{Words: args[n+1 : end]}); isShell(shell.name()) { // whose {} may be another's
			list = append(list, inner{words: shell.Words})
		}
		n = end
	}
	return list
}

// something is some path below a start, as find says it. With a beginning it is not the
// start itself.
func something(start, beginning string) string {
	return strings.TrimSuffix(start, "/") + "/" + beginning + hole
}

// selective reports whether find matches only some files.
func selective(args []Word) bool {
	return slices.ContainsFunc(args, func(w Word) bool {
		switch w.text {
		case "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-empty", "-mtime", "-mmin", "-size", "-newer", "-perm", "-links":
			return true
		}
		return false
	})
}

// starts are the directories in which find starts.
func starts(name string, args []Word) []Word {
	var list []Word
	for _, arg := range args {
		switch begins := strings.HasPrefix(arg.text, "-") || arg.text == "(" || arg.text == "!"; {
		case !begins:
			list = append(list, arg)
			continue
		case strings.HasPrefix(name, "fd") && !runsFound(arg.text), slices.Contains([]string{"-H", "-L", "-P"}, arg.text):
			continue // fd has options in front and between, whose values may be directories
		}
		break
	}
	if strings.HasPrefix(name, "fd") && len(list) > 0 && strings.IndexAny(list[0].text, "/~.") != 0 {
		list = list[1:] // the first is the pattern
	}
	if len(list) == 0 {
		return []Word{{text: "."}}
	}
	return list
}

// runsFound reports whether a command follows an option of find.
func runsFound(option string) bool {
	switch option {
	case "-exec", "-execdir", "-ok", "-okdir", "-x", "--exec", "-X", "--exec-batch":
		return true
	}
	return false
}
