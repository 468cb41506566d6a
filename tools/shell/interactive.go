package shell

import (
	"fmt"
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// Commands have no terminal. Programs that need one usually fail at once, often without a helpful
// error. This file suggests alternatives.

// alternative returns what to use instead of an interactive program.
func alternative(program string) string {
	switch {
	case strings.Contains("less more most", program):
		return "Read files with read_file, and add \"| cat\" to a command that uses a pager."
	case strings.Contains("top htop btop atop", program):
		return "Use ps, or top -b -n 1."
	}
	for _, editor := range []string{"vi", "nano", "pico", "emacs", "micro", "hx", "helix", "kak", "joe", "mcedit"} {
		if strings.HasPrefix(program, editor) {
			return "Change files with apply_patch or create_file, or with sed."
		}
	}
	return "To avoid questions, add flags to the command, pipe its input in, or use a script. As a last resort, ask the user to type ! and then the command."
}

// refusals contains fragments of known error messages, each with advice.
var refusals = []struct{ says, instead string }{
	{"problem with the editor 'false'", "the command needs an editor, and there is none here: give the text with -m, or set GIT_EDITOR or GIT_SEQUENCE_EDITOR to a command that makes the change, such as \"sed -i …\""},
	{"erminal is required to read the password", "nobody can type a password here: ask the user to type ! and then the command"},
	{"a password is required", "nobody can type a password here: ask the user to type ! and then the command"},
	{"open terminal failed: not a terminal", "there is no terminal; for long work, set \"background\" to true instead"},
	{"the input device is not a TTY", "there is no terminal here: omit -t"},
	{"failed tty get", "there is no terminal here: use \"top -b -n 1\" or \"ps\""},
	{"standard input is not a t", "there is no terminal: give flags that avoid questions, or pipe the input to the command"},
	{"could not read Username for", "nobody can type a user name here: ask the user to type ! and then the command"},
	{"could not read Password for", "nobody can type a password here: ask the user to type ! and then the command"},
	{"externally-managed-environment", "the system's Python does not accept packages: make an environment with \"python3 -m venv .venv\", and install them with \".venv/bin/pip install …\""},
}

// terminalAdvice returns advice if a command failed with a known message, or if an interpreter
// without arguments succeeded but printed nothing. Otherwise it returns "".
func terminalAdvice(line string, result proc.Result) string {
	if result.ExitCode == 0 {
		if result.Stdout.Total+result.Stderr.Total > 0 {
			return ""
		}
		if name := bare(line); name != "" {
			return fmt.Sprintf("[%s reads its program from standard input, which is empty here: give it a file, -c or a here-document]\n", tools.Visible(name))
		}
		return ""
	}
	said := result.Stderr.Text() + result.Stdout.Text()
	for _, refusal := range refusals {
		if strings.Contains(said, refusal.says) {
			return "[" + refusal.instead + "]\n"
		}
	}
	return ""
}

// shells is the set of programs that, without arguments, read commands from standard input.
var shells = map[string]bool{
	"python": true, "python3": true, "ipython": true, "node": true, "irb": true, "php": true, "lua": true, "ghci": true, "bash": true, "sh": true, "zsh": true,
	"mysql": true, "psql": true, "sqlite3": true, "gdb": true, "bc": true, "deno": true, "julia": true, "R": true, "scala": true, "jshell": true,
}

// bare returns the name of a shell or interpreter if the line consists only of this name, otherwise
// "".
func bare(line string) string {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil || len(file.Stmts) != 1 || len(file.Stmts[0].Redirs) > 0 {
		return ""
	}
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) != 1 || !shells[path.Base(call.Args[0].Lit())] {
		return ""
	}
	return call.Args[0].Lit()
}
