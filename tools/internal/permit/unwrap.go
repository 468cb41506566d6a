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

// wrapper says how to find the command behind a program that runs another one.
type wrapper struct {
	valued string // one-letter options that take a value
	long   string // long options that do, as words
	skip   int    // operands before the command
	sets   bool   // NAME=value may stand before it
	root   bool   // it runs with other rights
}

func wrapperOf(name string) (wrapper, bool) {
	switch name {
	case "sudo":
		return wrapper{valued: "ughpCTrtDRU", long: "--user --group --host --prompt --chdir --chroot --role --type", sets: true, root: true}, true
	case "doas":
		return wrapper{valued: "uC", root: true}, true
	case "pkexec":
		return wrapper{long: "--user", root: true}, true
	case "runuser", "setpriv":
		return wrapper{valued: "ug", long: "--user --group --reuid --regid", root: true}, true
	case "env":
		return wrapper{valued: "uC", long: "--unset --chdir", sets: true}, true
	case "nohup", "setsid", "command", "builtin", "time", "unbuffer", "caffeinate", "busybox", "toybox", "npx", "bunx", "pnpx", "fakeroot", "dbus-run-session", "systemd-inhibit", "eatmydata":
		return wrapper{valued: "op", long: "--package"}, true
	case "exec":
		return wrapper{valued: "a"}, true
	case "nice":
		return wrapper{valued: "n", long: "--adjustment"}, true
	case "ionice":
		return wrapper{valued: "cnpPu"}, true
	case "chrt", "taskset":
		return wrapper{valued: "p", skip: 1}, true
	case "timeout":
		return wrapper{valued: "sk", long: "--signal --kill-after", skip: 1}, true
	case "stdbuf":
		return wrapper{valued: "ioe", long: "--input --output --error"}, true
	case "xargs":
		return wrapper{valued: "IinPLldEsa", long: "--max-args --max-procs --delimiter --arg-file --max-lines --replace"}, true
	case "parallel":
		return wrapper{valued: "jIaN", long: "--jobs --joblog --colsep --arg-file"}, true
	case "watch":
		return wrapper{valued: "nd", long: "--interval"}, true
	case "chroot":
		return wrapper{skip: 1, root: true}, true
	case "unshare", "nsenter":
		return wrapper{valued: "tSGRw", long: "--target --root --wd"}, true
	case "flock":
		return wrapper{valued: "wE", long: "--wait --timeout", skip: 1}, true
	case "strace", "ltrace", "perf", "valgrind":
		return wrapper{valued: "oeps"}, true
	case "systemd-run":
		return wrapper{valued: "pEtuM", long: "--unit --property --setenv --slice"}, true
	case "docker-entrypoint", "dumb-init", "tini", "gosu", "su-exec":
		return wrapper{}, true
	}
	return wrapper{}, false
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
		if text := afterOption(args, "S"); text != nil {
			return script(text)
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
			words[n].text = strings.ReplaceAll(word.text, "{}", hole)
		}
	}
	if name == "watch" || name == "parallel" {
		return append(joined(words), inner{words: words})
	}
	return []inner{{words: words, root: form.root}}
}

// behind is what follows the options, operands and assignments of a wrapper.
func (w wrapper) behind(args []Word) []Word {
	for len(args) > 0 {
		text := args[0].text
		switch {
		case text == "--":
			args = args[1:]
			return args[min(w.skip, len(args)):]
		case strings.HasPrefix(text, "--"):
			takes := !strings.Contains(text, "=") && slices.Contains(strings.Fields(w.long), text)
			args = args[min(len(args), 1+count(takes)):]
		case strings.HasPrefix(text, "-") && len(text) > 1:
			takes := strings.IndexByte(w.valued, text[len(text)-1]) >= 0 && len(text) == 2
			args = args[min(len(args), 1+count(takes)):]
		case w.sets && strings.Contains(text, "=") && !strings.HasPrefix(text, "="):
			args = args[1:]
		default:
			return args[min(w.skip, len(args)):]
		}
	}
	return nil
}

func count(yes bool) int {
	if yes {
		return 1
	}
	return 0
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
			if text == "--command" || text == "--split-string" {
				return args[n+1:]
			}
			if value, ok := strings.CutPrefix(text, "--command="); ok {
				return []Word{{text: value}}
			}
		case strings.HasPrefix(text, "-") && strings.Contains(text, letter):
			if rest := text[strings.Index(text, letter)+1:]; letter == "S" && rest != "" {
				return []Word{{text: rest}}
			}
			return args[n+1:]
		}
	}
	return nil
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

// found is what find runs, with {} as something below where it starts.
func (i *inspector) found(name string, args []Word) []inner {
	var list []inner
	beginning := ""
	if selective(args) {
		beginning = "found"
	}
	for n := 0; n < len(args); n++ {
		switch args[n].text {
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "--exec", "-X", "--exec-batch":
		default:
			continue
		}
		end := n + 1
		for end < len(args) && args[end].text != ";" && args[end].text != "+" {
			end++
		}
		for _, start := range starts(name, args) {
			words := slices.Clone(args[n+1 : end])
			for k := range words {
				words[k].text = strings.ReplaceAll(words[k].text, "{}", something(start.text, beginning))
				words[k].tilde = words[k].tilde || start.tilde && strings.Contains(args[n+1+k].text, "{}")
			}
			list = append(list, inner{words: words})
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

// selective says whether find takes only some of what is there.
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
		if strings.HasPrefix(arg.text, "-") || arg.text == "(" || arg.text == "!" {
			if len(list) > 0 || name != "find" || !slices.Contains([]string{"-H", "-L", "-P"}, arg.text) {
				break
			}
			continue
		}
		list = append(list, arg)
	}
	if name != "find" && len(list) > 0 {
		list = list[1:] // the first is the pattern
	}
	if len(list) == 0 {
		return []Word{{text: "."}}
	}
	return list
}

// gitRuns is what options of git make it run.
func (i *inspector) gitRuns(args []Word) []inner {
	for n, arg := range args {
		if n > 0 && args[n-1].text == "-c" {
			if _, command, ok := strings.Cut(arg.text, "=!"); ok {
				return []inner{{script: &Word{text: command}}}
			}
		}
	}
	if rest := withoutGitOptions(args); len(rest) > 1 {
		switch rest[0].text {
		case "bisect":
			if rest[1].text == "run" {
				return []inner{{words: rest[2:]}}
			}
		case "submodule":
			if rest[1].text == "foreach" {
				return joined(wrapper{}.behind(rest[2:]))
			}
		case "rebase", "filter-branch":
			if text := afterOption(rest[1:], "x"); text != nil {
				return script(text)
			}
		}
	}
	return nil
}

// withoutGitOptions is a subcommand of git with its arguments.
func withoutGitOptions(args []Word) []Word {
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") {
		switch args[0].text {
		case "-c", "-C", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env":
			args = args[min(2, len(args)):]
		default:
			args = args[1:]
		}
	}
	return args
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
