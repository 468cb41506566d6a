package command

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"marvin/tools/internal/permit/internal/spelling"
)

// A line is unclear if a shell runs text that this package cannot follow. The code in this file
// finds the constructs that run such text, but does not examine the text itself.

// obscure inspects a node for shell constructs that can run unexamined text.
func (i *inspector) obscure(node syntax.Node) {
	switch node := node.(type) {
	case *syntax.CoprocClause:
		i.unclear("coproc starts a program, and later commands on the line write to it or read from it")
	case *syntax.ProcSubst:
		if node.Op == syntax.CmdOut {
			i.writesInto(node)
		}
	case *syntax.SglQuoted:
		text := node.Value
		if node.Dollar {
			text = spelling.Ansi(text, spelling.Quotes)
		}
		i.wordReader.subscripts = i.wordReader.subscripts || strings.ContainsRune(text, '[') && subscripted().MatchString(text)
	case *syntax.CallExpr:
		if len(node.Args) > 0 && len(spelling.ExpandBraces(node.Args[:1])) > 1 {
			i.unclear("the name of its program contains braces")
		}
	case *syntax.Redirect:
		i.descriptor(node)
	case *syntax.ParamExp:
		if node.Exp != nil && node.Exp.Op == syntax.OtherParamOps && i.word(node.Exp.Word).Text == "P" {
			i.unclear("${…@P} runs the content of the variable")
		}
		if node.Index != nil || node.Slice != nil || node.Excl {
			i.counts = true
		}
	case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause, *syntax.CStyleLoop:
		i.counts = true
	case *syntax.TestClause:
		i.counts = true
	case *syntax.DeclClause:
		i.counts = true
	case *syntax.Assign:
		if node.Index != nil {
			i.counts = true
		}
	}
}

// writesInto marks the line as unclear if a process substitution >(…) executes its input.
func (i *inspector) writesInto(node *syntax.ProcSubst) {
	for _, stmt := range node.Stmts {
		if len(i.readers(stmt)) > 0 {
			i.unclear("it runs the text written into >(…)")
		}
	}
}

// descriptor determines whether a redirection could feed a script to a later command. If so, it
// marks the line as unclear.
func (i *inspector) descriptor(redirect *syntax.Redirect) {
	number := ""
	if redirect.N != nil {
		number = redirect.N.Value
	}
	switch redirect.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		if number != "" && number != "0" {
			i.unclear("it feeds text to descriptor %s", number)
		}
	case syntax.DplIn, syntax.DplOut:
		if target := i.word(redirect.Word); target.unknown() {
			i.unclear("it writes to a descriptor that is known only at run time")
		}
	}
}

// subscripted returns a regular expression for text such as a[$(…)]. In arithmetic, the shell runs
// the command in a subscript.
var subscripted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\\[[^\\]]*(?:\\$\\(|`|\\$\\{)") })

// evaluatesNames reports whether a builtin evaluates array subscripts that occur in its arguments.
func evaluatesNames(name string) bool {
	switch name {
	case "let", "printf", "test", "[", "unset", "read", "declare", "typeset", "local", "export", "readonly", "mapfile", "readarray", "wait", "getopts", "expr":
		return true
	}
	return false
}

// hides determines whether a simple command may run programs that its words do not name. If so, it
// marks the line as unclear.
func (i *inspector) hides(part Part) {
	name, args := part.Name(), part.Words[1:]
	i.counts = i.counts || evaluatesNames(name)
	switch {
	case part.Words[0].Glob:
		i.unclear("the name of its program is a file pattern: %s", part.Words[0].Text)
	case name == "hash" && hasShort(args, 'p'), name == "enable" && hasShort(args, 'f'), name == "complete" && hasShort(args, 'C'):
		i.unclear("%s makes a command name stand for another program", name)
	case isShell(name), languageOf(name) != noLanguage, name == "source", name == ".":
		for _, arg := range args {
			if strings.HasPrefix(arg.Text, "/dev/fd/") || strings.HasPrefix(arg.Text, "/proc/") && strings.Contains(arg.Text, "/fd/") {
				if !standardInput(arg.Text) {
					i.unclear("it runs whatever is written to %s", arg.Text)
				}
			}
		}
	case name == "make" || name == "gmake":
		i.makes(args)
	case name == "git":
		i.gitSettings(args)
	}
	for n, arg := range args {
		option, value, valued := strings.Cut(arg.Text, "=")
		if !valued && n+1 < len(args) && option == "-wrapper" {
			value, valued = args[n+1].Text, true
		}
		if valued && runsProgram(name, option) && !KnownHelper(value) {
			i.markHelper("%s makes %s start a program", option, name)
		}
	}
}

// runsProgram reports whether a program runs the value of a long option as a command.
func runsProgram(name, option string) bool {
	if !strings.HasPrefix(option, "-") {
		return false
	}
	switch strings.TrimLeft(option, "-") {
	case "exec", "exec-batch", "pager", "script-shell", "wrapper", "editor", "shell-command", "open-files-in-pager", "upload-pack", "receive-pack", "extcmd", "launcher", "prefix-command", "preprocessor":
		return name != "git" || option != "--exec" // gitRuns handles the --exec option of git
	}
	return false
}

// makes determines whether the arguments of make contain rules or commands. If so, it marks the
// line as unclear.
func (i *inspector) makes(args []Word) {
	for _, arg := range args {
		text := arg.Text
		cluster := strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--")
		name, value, assigns := strings.Cut(text, "=")
		switch {
		case cluster && strings.Contains(text, "E"), len(name) > 3 && strings.HasPrefix("--eval", name):
			i.unclear("the command line contains makefile rules")
		case assigns && !strings.HasPrefix(text, "-") && strings.ContainsAny(value, ";|&`$<>\n"):
			i.unclear("the value given to \"make\" for %s contains a command", name)
		}
	}
}

// KnownHelper reports whether a setting's value is empty, or is a known program whose arguments
// contain no command. The known programs include pagers, editors, compilers and ssh.
func KnownHelper(value string) bool {
	words := strings.Fields(value)
	if len(words) == 0 {
		return true
	}
	if strings.ContainsAny(value, ";|&`$<>(){}\n\\'\""+Hole) {
		return false
	}
	name := words[0][strings.LastIndexByte(words[0], '/')+1:]
	if name != words[0] && !strings.HasPrefix(words[0], "/usr/") && !strings.HasPrefix(words[0], "/bin/") {
		return false
	}
	switch name {
	case "ssh":
		return !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(strings.ToLower(word), "command") || word == "-F" })
	case "cat", "less", "more", "true", "false", ":", "nano", "vi", "vim", "nvim", "emacs", "code", "delta", "bat", "most", "gcc", "g++", "cc", "c++", "clang", "clang++", "ccache", "sccache", "ld", "ar", "lld", "mold",
		"rustc", "bash", "sh", "zsh", "dash", "fish", "none", "firefox", "chromium", "xdg-open", "echo", "gzip", "zstd", "xz", "lz4", "pigz", "rsh", "git-upload-pack", "git-receive-pack", "open", "0", "1", "never", "always", "auto":
		return len(words) == 1 || !isShell(name)
	}
	return strings.HasSuffix(name, "-gcc") || strings.HasSuffix(name, "-g++") || strings.HasSuffix(name, "-ld")
}

// StartsProgram reports whether the value of a variable determines code that programs run.
func StartsProgram(name string) bool {
	if runsValue(name) {
		return true
	}
	switch upper := strings.ToUpper(name); upper {
	case "PERL5OPT", "BASH_ENV", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_TEMPLATE_DIR", "GIT_EXEC_PATH", "NPM_CONFIG_SCRIPT_SHELL", "NPM_CONFIG_SHELL", "NPM_CONFIG_EDITOR", "NPM_CONFIG_VIEWER", "NPM_CONFIG_GIT",
		"PYTHONSTARTUP", "PYTHONBREAKPOINT", "PYTHONBROWSER", "RUBYSHELL", "COMSPEC", "MAKESHELL", "PERL5SHELL", "CARGO_BUILD_RUSTC_WRAPPER", "CARGO_BUILD_RUSTC", "RUSTC_WORKSPACE_WRAPPER", "RUSTDOC", "SVN_EDITOR", "SVN_SSH", "HGEDITOR", "CVSEDITOR",
		"KUBE_EDITOR", "SUDO_EDITOR", "SYSTEMD_EDITOR", "SYSTEMD_LESS", "LESSKEYIN", "DIFFPROG", "TEXEDIT", "DISTCC_CMDLIST", "CCACHE_PREFIX", "CCACHE_COMPILER", "AR", "RANLIB", "NM", "STRIP", "OBJCOPY", "PKG_CONFIG":
		return true
	}
	return false
}

// setsProgram reports an assignment to a variable such as PAGER. It ignores harmless values.
func (i *inspector) setsProgram(name string, value Word) {
	switch {
	case !StartsProgram(name) || KnownHelper(value.Text):
	case (name == "MAKEFLAGS" || name == "GOFLAGS" || name == "FZF_DEFAULT_COMMAND") && !strings.ContainsAny(value.Text, ";|&`$("+Hole):
	case (name == "PS0" || name == "PS1" || name == "PS4" || name == "PROMPT_COMMAND") && !strings.ContainsAny(value.Text, "$`;|&"+Hole):
	default:
		i.markHelper("programs run the value of %s", name)
	}
}

// harmlessSetting reports whether a git setting (key=value) is known to be harmless. A setting that
// runs a program is harmless if [KnownHelper] accepts the program.
func harmlessSetting(setting string) bool {
	key, value, valued := strings.Cut(setting, "=")
	key = strings.ToLower(key)
	section, rest, _ := strings.Cut(key, ".")
	last := rest[strings.LastIndexByte(rest, '.')+1:]
	if command, runs := gitSetting(setting); runs {
		return section == "alias" && !strings.HasPrefix(value, "!") || KnownHelper(command)
	}
	switch section {
	case "user", "author", "committer", "color", "advice", "init", "log", "status", "branch", "push", "pull", "fetch", "commit", "tag", "http", "https", "safe", "column", "grep", "index", "feature", "pack", "i18n", "format", "stash",
		"transfer", "worktree", "rebase", "rerere", "blame", "apply", "am", "showbranch", "versionsort", "notes", "help", "url", "maintenance", "credential", "remote", "submodule", "lfs", "clone", "checkout", "clean", "merge", "diff", "extensions":
		return last != "helper" || !valued || value == ""
	case "core":
		switch last {
		case "hookspath", "worktree", "attributesfile", "excludesfile", "sshcommand", "alternaterefscommand", "gitproxy", "askpass", "fsmonitor", "editor", "pager":
			return !valued || value == "" || value == "/dev/null" || value == "false" || value == "true"
		}
		return true
	case "protocol":
		return last == "version"
	case "gc":
		return last == "auto" || last == "autodetach" || strings.HasPrefix(last, "prune") || last == "reflogexpire"
	case "gpg", "commitgpgsign":
		return last == "format"
	}
	return false
}

// gitSettings reports arguments that might make git start a program, such as "-c core.pager=x".
func (i *inspector) gitSettings(args []Word) {
	for n := 1; n < len(args); n++ {
		if text := args[n].Text; args[n-1].Text == "-c" && strings.ContainsAny(text, ".") && !harmlessSetting(text) {
			key, _, _ := strings.Cut(text, "=")
			i.markHelper("the git setting %s might make git start a program", strings.ReplaceAll(key, Hole, "…"))
		}
		if strings.HasPrefix(args[n-1].Text, "--config-env") && !strings.HasPrefix(args[n].Text, "-") {
			i.markHelper("git takes a setting from the environment")
		}
	}
	rest := WithoutGitOptions(args)
	if len(rest) == 0 {
		return
	}
	if rest[0].Text == "config" {
		for n := 2; n < len(rest); n++ {
			if key := rest[n-1].Text; strings.Contains(key, ".") && !strings.HasPrefix(key, "-") && !harmlessSetting(key+"="+rest[n].Text) {
				i.markHelper("the git setting %s makes git start a program", strings.ReplaceAll(key, Hole, "…"))
			}
		}
	}
	if rest[0].Text == "rebase" {
		for _, arg := range rest[1:] {
			if at := strings.IndexByte(arg.Text, 'x'); strings.HasPrefix(arg.Text, "-") && !strings.HasPrefix(arg.Text, "--") && at > 1 {
				i.markHelper("\"git rebase %s\" runs a command", arg.Text[:at+1])
			}
		}
	}
}

// laterRun reports programs that the line both writes and runs.
func (i *inspector) laterRun() {
	for _, ran := range i.ran {
		for _, written := range i.wrote {
			if ran == written {
				i.unclear("it writes a program and runs it: %s", ran)
			}
		}
	}
}

// noteRun records the script or program file that a command executes.
func (i *inspector) noteRun(part Part) {
	name := part.Name()
	note := func(word Word) {
		if word.Text != "" && !word.unknown() && !word.Glob {
			for _, dir := range i.dirs {
				i.ran = append(i.ran, i.absolute(word, dir))
			}
		}
	}
	switch {
	case isShell(name):
		if list := operands(part.Words[1:]); len(list) > 0 && len(afterOption(part.Words[1:], "c")) == 0 {
			note(list[0])
		}
	case name == "source" || name == ".":
		if len(part.Words) > 1 {
			note(part.Words[1])
		}
	case strings.Contains(part.Words[0].Text, "/"):
		note(part.Words[0])
	}
}

func (i *inspector) noteWrite(target Word) {
	if target.Text == "" || target.unknown() || strings.HasPrefix(target.Text, "/dev/") {
		return
	}
	for _, dir := range i.dirs {
		i.wrote = append(i.wrote, i.absolute(target, dir))
	}
}

// writesFiles records the output files in a command's arguments.
func (i *inspector) writesFiles(part Part) {
	args := part.Words[1:]
	switch list := operands(args); part.Name() {
	case "tee":
		for _, file := range list {
			i.noteWrite(file)
		}
	case "cp", "mv", "install", "ln":
		sources, target, _ := moved(args)
		for _, source := range sources {
			i.noteWrite(target)
			i.noteWrite(entryOf(target, source))
		}
	case "m4":
		i.unread("the macros for m4 might start programs")
	case "groff", "troff", "soelim":
		if hasShort(args, 'U') {
			i.unread("%s might start programs", part.Name())
		}
	case "alias":
		i.aliases = i.aliases || len(args) > 0
	case "shopt", "set":
		i.expands = i.expands || slices.ContainsFunc(args, func(w Word) bool { return w.Text == "expand_aliases" || w.Text == "posix" || w.unknown() })
	case "curl", "wget":
		for n := range args {
			for _, option := range []string{"-o", "--output", "-O", "--output-document"} {
				if value, ok := optionValue(args, n, option); ok {
					i.noteWrite(value)
				}
			}
		}
	}
}

// startsOthers matches non-shell code that could start programs, even indirectly.
var startsOthers = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?i)system|popen|exec|spawn|subprocess|fork|eval|compile|__|importlib|getattr|globals|vars\\(|ctypes|child_process|require|import\\(|\\bimport\\s+\\*|binding|command|qx|`|%x|shell|open\\b[^\\n]*[|]|[|]\\s*getline|[|]\\s*\"|\\bpty\\b|\\brun\\b|\\bsend\\b|unserialize|pickle|marshal|base64|fromhex|atob|unpack|chr\\b")
})

// unreadProgram reports non-shell code that could start other programs.
func (i *inspector) unreadProgram(part Part, text string) {
	if found := startsOthers().FindString(text); found != "" || strings.Contains(text, Hole) {
		i.unread("it makes %s run a program that might start other programs", part.Name())
	}
}
