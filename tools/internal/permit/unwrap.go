package permit

import (
	"slices"
	"strings"
)

// inner is a command within a command: words, or the text of a script.
type inner struct {
	words  []Word
	script *Word
	root   bool
}

// unwrap finds what a command runs in turn.
func (i *inspector) unwrap(part Part) []inner {
	name, args := part.name(), part.Words[1:]
	switch name {
	case "bash", "sh", "zsh", "dash", "ksh", "ash", "mksh", "rbash":
		return script(afterOption(args, "c"))
	case "eval":
		return joined(args)
	case "trap":
		if len(args) > 1 && !strings.HasPrefix(args[0].text, "-") {
			return script(args[:1])
		}
	case "su", "script":
		return script(afterOption(args, "c"))
	case "ssh":
		return i.remote(args)
	case "find", "fd", "fdfind", "gfind":
		return i.found(name, args)
	case "git":
		return i.gitRuns(args)
	}
	form, ok := wrapperOf(name)
	if !ok {
		return nil
	}
	switch name {
	case "env":
		if words := splitByEnv(args); words != nil {
			return joined(words)
		}
	case "flock", "unshare":
		if text := afterOption(args, "c"); text != nil {
			return script(text)
		}
	case "command":
		if len(args) > 0 && (args[0].text == "-v" || args[0].text == "-V") {
			return nil
		}
	}
	words := form.behind(args)
	if len(words) == 0 {
		return nil
	}
	if name == "xargs" || name == "parallel" { // what they read comes behind, or in the place of {}
		words = append(slices.Clone(words), Word{text: hole})
		for n, word := range words {
			words[n].text = strings.ReplaceAll(word.text, placeholder(args), hole)
		}
	}
	if name == "watch" || name == "parallel" {
		return append(joined(words), inner{words: words})
	}
	return []inner{{words: words, root: form.root}}
}

func script(words []Word) []inner {
	if len(words) == 0 {
		return nil
	}
	return []inner{{script: &words[0]}}
}

func joined(words []Word) []inner {
	if len(words) == 0 {
		return nil
	}
	all := Word{text: strings.Join(texts(words), " ")}
	for _, word := range words {
		if word.runs != nil {
			all.runs = word.runs
		}
	}
	return []inner{{script: &all}}
}

// afterOption is what follows a one-letter option, also as the last of a cluster.
func afterOption(args []Word, letter string) []Word {
	for n, arg := range args {
		text := arg.text
		switch {
		case text == "--" || !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "+") && letter == "c" && n > 0 && !strings.HasPrefix(args[n-1].text, "-"):
			return nil
		case strings.HasPrefix(text, "--"):
			if text == "--command" {
				return args[n+1:]
			}
			if value, ok := strings.CutPrefix(text, "--command="); ok {
				return []Word{{text: value}}
			}
		case strings.HasPrefix(text, "-") && strings.Contains(text, letter):
			return args[n+1:]
		}
	}
	return nil
}

// splitByEnv is what env -S makes of its value and of what follows it; nil without it.
func splitByEnv(args []Word) []Word {
	for n, arg := range args {
		for _, option := range []string{"--split-string", "-S", "-iS", "-vS", "-ivS"} {
			if value, ok := optionValue(args, n, option); ok {
				return append([]Word{value}, args[min(len(args), n+1+count(arg.text == option)):]...)
			}
			if rest, ok := strings.CutPrefix(arg.text, option); ok && len(option) > 2 && option[1] != '-' && rest != "" {
				return append([]Word{{text: rest}}, args[n+1:]...)
			}
		}
	}
	return nil
}

// placeholder is what xargs replaces by what it reads.
func placeholder(args []Word) string {
	for n := range args {
		if value, ok := optionValue(args, n, "-I"); ok && value.text != "" {
			return value.text
		}
		if !strings.HasPrefix(args[n].text, "-") {
			break
		}
	}
	return "{}"
}

// readsScript says whether a command is a shell that runs what it is fed.
func (i *inspector) readsScript(part Part) bool {
	name := part.name()
	if form, ok := wrapperOf(name); ok {
		words := form.behind(part.Words[1:])
		return len(words) > 0 && i.readsScript(Part{Words: words})
	}
	switch name {
	case "bash", "sh", "zsh", "dash", "ksh", "ash":
	case "python", "python3", "perl", "ruby", "node", "php":
	case "source", ".":
		return true
	case "ssh":
		i.elsewhere()
		return len(remoteCommand(part.Words[1:])) == 0
	default:
		return false
	}
	for _, arg := range part.Words[1:] {
		if !strings.HasPrefix(arg.text, "-") {
			return arg.text == "/dev/stdin"
		}
		if strings.Contains(arg.text, "c") && !strings.HasPrefix(arg.text, "--") {
			return false
		}
	}
	return true
}

// remote is the command of ssh, which runs where no path is inside. From there on the
// whole line is judged as if it ran there: more strictly.
func (i *inspector) remote(args []Word) []inner {
	i.elsewhere()
	return joined(remoteCommand(args))
}

func (i *inspector) elsewhere() { i.place.Dir, i.place.Temp = "", false }

func remoteCommand(args []Word) []Word {
	return wrapper{valued: "BbcDEeFIiJLlmOopQRSWw", skip: 1}.behind(args)
}

// generated looks at text that is only known when it runs, for where it comes from.
func (i *inspector) generated(part Part, text Word) {
	if text.runs == nil {
		return
	}
	for _, stmt := range text.runs.Stmts {
		if source := i.fetches(stmt); source != "" {
			i.danger(part, "runs what "+source+" brings")
			return
		}
	}
}
