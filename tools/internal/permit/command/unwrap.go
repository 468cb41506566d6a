package command

import (
	"slices"
	"strings"
)

// inner is a command inside a command: words, or the text of a script.
type inner struct {
	words  []Word
	script *Word
	shared bool // the script runs in the current shell
	root   bool
}

// unwrapper finds the commands that other commands run, and determines how commands use their
// input.
type unwrapper struct {
	*effort
	*whereabouts
}

func (u *unwrapper) unwrap(part Part) []inner {
	name, args := part.Name(), part.Words[1:]
	if isShell(name) {
		return script(afterOption(args, "c"))
	}
	switch name {
	case "eval":
		return shared(joined(args))
	case "trap":
		if len(args) > 1 && !strings.HasPrefix(args[0].Text, "-") {
			return shared(script(args[:1]))
		}
	case "alias":
		return aliasLines(args)
	case "su", "script":
		return script(afterOption(args, "c"))
	case "ssh":
		return u.remote(args)
	case "find", "fd", "fdfind", "gfind":
		return u.findRuns(name, args)
	case "git":
		return u.gitRuns(args)
	}
	form, ok := WrapperOf(name)
	if !ok {
		return u.commandInArguments(part)
	}
	switch name {
	case "npx", "bunx", "pnpx":
		if text := afterOption(args, "c"); text != nil {
			return script(text)
		}
	case "env":
		if words := splitByEnv(args); words != nil {
			return joined(words)
		}
	case "flock", "unshare":
		if text := afterOption(args, "c"); text != nil {
			return script(text)
		}
	case "command":
		if len(args) > 0 && (args[0].Text == "-v" || args[0].Text == "-V") {
			return nil
		}
	}
	words := form.commandIn(args)
	if len(words) == 0 {
		return nil
	}
	if name == "parallel" {
		words = withSources(words)
	}
	if name == "xargs" || name == "parallel" {
		return append(xargsCommands(words, placeholder(args)), eachOf(name, words)...)
	}
	return append(eachOf(name, words), inner{words: words, root: form.root})
}

// withSources removes each ":::" from the arguments of GNU parallel and replaces each "::::" with a
// [Hole].
func withSources(words []Word) []Word {
	at := slices.IndexFunc(words, func(w Word) bool { return strings.HasPrefix(w.Text, ":::") })
	if at < 0 {
		return words
	}
	list := slices.Clone(words[:at])
	for _, word := range words[at:] {
		switch {
		case strings.HasPrefix(word.Text, "::::"):
			list = append(list, Word{Text: Hole})
		case !strings.HasPrefix(word.Text, ":::"):
			list = append(list, word)
		}
	}
	return list
}

func eachOf(name string, words []Word) []inner {
	if name != "watch" && name != "parallel" {
		return nil
	}
	return joined(words)
}

// xargsCommands appends the input to the command that xargs runs. If the command contains the
// placeholder, xargsCommands adds a version in which the input also replaces the placeholder. Both
// versions are returned, because the command itself could interpret the placeholder.
func xargsCommands(words []Word, mark string) []inner {
	behind := append(slices.Clone(words), Word{Text: Hole, fed: true})
	list := []inner{{words: behind}}
	if marked := func(w Word) bool { return strings.Contains(w.Text, mark) }; slices.ContainsFunc(words, marked) {
		within := slices.Clone(behind)
		for n := range within {
			within[n].fed = within[n].fed || strings.Contains(within[n].Text, mark)
			within[n].Text = strings.ReplaceAll(within[n].Text, mark, Hole)
		}
		list = append(list, inner{words: within})
	}
	return list
}

// commandInArguments searches a program's arguments for a command that the program runs. For some
// programs, such as docker exec, the position of the command is known. For all others, a shell with
// a script counts as the command.
func (u *unwrapper) commandInArguments(part Part) []inner {
	if words := behindRunner(part.Name(), part.Words[1:]); len(words) > 0 {
		return []inner{{words: words}}
	}
	if part.OnlyText() {
		return nil
	}
	for n := 1; n+1 < len(part.Words); n++ {
		if within := (Part{Words: part.Words[n:]}); isShell(within.Name()) && strings.HasPrefix(part.Words[n+1].Text, "-") && len(afterOption(within.Words[1:], "c")) > 0 {
			return []inner{{words: within.Words}}
		}
	}
	return nil
}

// aliasLines returns the shell lines that an alias command defines.
func aliasLines(args []Word) (list []inner) {
	for _, arg := range args {
		if _, line, ok := strings.Cut(arg.Text, "="); ok {
			list = append(list, inner{script: &Word{Text: line, runs: arg.runs}, shared: true})
		}
	}
	return list
}

func shared(list []inner) []inner {
	for n := range list {
		list[n].shared = true
	}
	return list
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
	all := Word{Text: strings.Join(Texts(words), " ")}
	for _, word := range words {
		if word.runs != nil {
			all.runs = word.runs
		}
	}
	return []inner{{script: &all}}
}

// afterOption returns the words after --command or a one-letter option. A cluster such as -lc can
// contain the letter anywhere.
func afterOption(args []Word, letter string) []Word {
	for n, arg := range args {
		text := arg.Text
		switch {
		case text == "--" || !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "+") && n > 0 && !strings.HasPrefix(args[n-1].Text, "-"):
			return nil
		case strings.HasPrefix(text, "--"):
			if text == "--command" {
				return args[n+1:]
			}
			if value, ok := strings.CutPrefix(text, "--command="); ok {
				return []Word{{Text: value}}
			}
		case strings.HasPrefix(text, "-") && strings.Contains(text, letter):
			return behindOptions(args[n+1:])
		}
	}
	return nil
}

// behindOptions skips the options between -c and the script, such as -e in "bash -c -e LINE".
func behindOptions(args []Word) []Word {
	for len(args) > 0 && (strings.HasPrefix(args[0].Text, "-") || strings.HasPrefix(args[0].Text, "+")) {
		valued := !strings.HasPrefix(args[0].Text, "--") && strings.HasSuffix(strings.ToLower(args[0].Text), "o")
		last := args[0].Text == "--" || args[0].Text == "-"
		if args = args[min(len(args), 1+countOf(valued)):]; last {
			break
		}
	}
	return args
}

// splitByEnv returns the value of env's option -S and the words after that value. Without -S, it
// returns nil.
func splitByEnv(args []Word) []Word {
	for n, arg := range args {
		for _, option := range []string{"--split-string", "-S", "-iS", "-vS", "-ivS"} {
			if value, ok := optionValue(args, n, option); ok {
				return append([]Word{value}, args[min(len(args), n+1+countOf(arg.Text == option)):]...)
			}
			if rest, ok := strings.CutPrefix(arg.Text, option); ok && option[1] != '-' && rest != "" {
				return append([]Word{{Text: rest}}, args[n+1:]...)
			}
		}
	}
	return nil
}

// placeholder returns the text that xargs replaces with input.
func placeholder(args []Word) string {
	for n := range args {
		for _, option := range []string{"-I", "-J"} { // -J is BSD's
			if value, _ := optionValue(args, n, option); value.Text != "" {
				return value.Text
			}
		}
		for _, option := range []string{"-i", "--replace="} {
			if value, ok := strings.CutPrefix(args[n].Text, option); ok && value != "" {
				return value
			}
		}
		if !strings.HasPrefix(args[n].Text, "-") {
			break
		}
	}
	return "{}"
}

// remote returns the command that ssh runs on another machine. It marks the whole line as remote,
// so that later checks are stricter.
func (u *unwrapper) remote(args []Word) []inner {
	u.setRemote()
	words := remoteCommand(args)
	if len(words) < 2 {
		return joined(words)
	}
	return append(joined(words), inner{words: words}) // "ssh HOST bash -c '…'" needs the separate words
}

func remoteCommand(args []Word) []Word {
	return wrapper{valued: "BbcDEeFIiJLlmOopQRSWw", skip: 1}.commandIn(args)
}

// generated adds a danger if a part runs the output of a program such as curl or base64.
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
