package command

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The code in this file searches the values of options and variables for commands and output files.

// runningOptions returns the options whose value is a command line that the program runs.
func runningOptions(name string) []string {
	switch name {
	case "tar", "gtar", "bsdtar":
		return []string{"--checkpoint-action", "--to-command", "-I", "--use-compress-program", "--rsh-command", "--info-script", "--new-volume-script"}
	case "rsync":
		return []string{"-e", "--rsh", "--rsync-path"}
	case "ssh", "sftp":
		return []string{"-o"}
	case "scp":
		return []string{"-o", "-S"}
	case "rg":
		return []string{"--pre", "--hostname-bin"}
	case "sort":
		return []string{"--compress-program"}
	case "split":
		return []string{"--filter"}
	case "man":
		return []string{"-P", "--pager"}
	case "fzf":
		return []string{"--preview"}
	case "go":
		return []string{"-exec", "-toolexec", "-vettool"}
	case "make", "gmake":
		return []string{"--eval"}
	case "fish", "csh", "tcsh", "sg":
		return []string{"-c", "--command"}
	case "zip":
		return []string{"-TT", "--unzip-command"}
	case "wget":
		return []string{"--use-askpass"}
	case "nix-shell":
		return []string{"--run", "--command"}
	}
	return nil
}

// options returns the commands in the values of a program's options.
func (u *unwrapper) options(part Part) (list []inner) {
	name, args := part.Name(), part.Words
	for n := 1; n < len(args); n++ {
		for _, option := range runningOptions(name) {
			value, ok := optionValue(args, n, option)
			if !ok {
				continue
			}
			if name == "ssh" || name == "scp" || name == "sftp" {
				value, ok = sshCommand(option, value)
			}
			value.Text = strings.TrimPrefix(value.Text, "exec=")
			if ok {
				list = append(list, inner{script: &value})
			}
		}
	}
	return list
}

// sshCommand extracts the command line, if any, from the value of an ssh option.
func sshCommand(option string, value Word) (Word, bool) {
	if option != "-o" {
		return value, true
	}
	key, command := strings.TrimSpace(value.Text), ""
	if at := strings.IndexAny(key, "= "); at >= 0 {
		key, command = key[:at], key[at+1:]
	}
	value.Text = strings.TrimLeft(command, "= ")
	switch strings.ToLower(key) {
	case "proxycommand", "localcommand", "knownhostscommand", "permitlocalcommand":
		return value, true
	}
	return value, false
}

// optionValue returns the value of an option at args[n]. It accepts "--option VALUE",
// "--option=VALUE", "-o VALUE" and "-oVALUE".
func optionValue(args []Word, n int, option string) (value Word, ok bool) {
	text := args[n].Text
	switch {
	case text == option && n+1 < len(args):
		return args[n+1], true
	case strings.HasPrefix(text, option+"="):
		return Word{Text: text[len(option)+1:], runs: args[n].runs}, true
	case len(option) == 2 && len(text) > 2 && strings.HasPrefix(text, option):
		return Word{Text: text[2:], runs: args[n].runs}, true
	}
	return Word{}, false
}

// runsLater judges assignments to variables such as PAGER. Programs run the values of these
// variables.
func (i *inspector) runsLater(assigns []*syntax.Assign, depth int) {
	for _, assign := range assigns {
		if assign.Name == nil || assign.Value == nil {
			continue
		}
		value := i.word(assign.Value)
		i.setsProgram(assign.Name.Value, value)
		if runsValue(assign.Name.Value) {
			i.withoutSyntaxErrors(func() { i.script(strings.ReplaceAll(strings.TrimPrefix(value.Text, "!"), Hole, unknownValue), depth) })
		}
	}
}

// runsValue reports whether programs use the value of a variable, such as PAGER, as a command.
func runsValue(name string) bool {
	switch name {
	case "PAGER", "MANPAGER", "GIT_PAGER", "SYSTEMD_PAGER", "EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS", "GIT_PROXY_COMMAND",
		"RSYNC_RSH", "CVS_RSH", "LESSOPEN", "LESSCLOSE", "BROWSER", "PROMPT_COMMAND", "PS0", "PS1", "PS4", "SHELL", "CC", "CXX", "LD", "AR", "TAR_OPTIONS", "RUSTC_WRAPPER", "RUSTC", "MANOPT", "FZF_DEFAULT_COMMAND", "FCEDIT", "GOFLAGS", "MAKEFLAGS":
		return true
	}
	return strings.HasPrefix(name, "GIT_CONFIG_VALUE_") || strings.HasPrefix(name, "CARGO_TARGET_")
}

// runsAssigned judges the variables that env and sudo set for a command.
func (i *inspector) runsAssigned(part Part, depth int) {
	if form, ok := WrapperOf(part.Name()); !ok || !form.sets {
		return
	}
	for _, arg := range part.Words[1:] {
		name, value, ok := strings.Cut(arg.Text, "=")
		if ok {
			i.leadsTo(name, Word{Text: value})
		}
		if ok {
			i.setsProgram(name, Word{Text: value})
		}
		if ok && runsValue(name) {
			i.withoutSyntaxErrors(func() { i.script(strings.ReplaceAll(strings.TrimPrefix(value, "!"), Hole, unknownValue), depth) })
		}
	}
}

// outputs invokes checkWrite for the arguments that name output files or directories: the values of
// options such as -o, and the operands of commands such as "patch" and "sed -i".
func (a *assessor) outputs(name string, args []Word) {
	var options []string
	switch name {
	case "curl":
		options = []string{"-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar", "--output-dir"}
	case "wget":
		options = []string{"-O", "--output-document", "-P", "--directory-prefix", "-o", "--output-file"}
	case "sort", "gcc", "cc", "clang", "ld", "shuf":
		options = []string{"-o", "--output"}
	case "git":
		options = []string{"-o", "--output", "--output-directory"}
	case "tar", "gtar", "bsdtar":
		options = []string{"-C", "--directory"}
	case "unzip", "7z":
		options = []string{"-d", "-o"}
	case "cp", "mv", "install", "ln":
		options = []string{"-t", "--target-directory"}
	case "sed", "gsed", "perl", "ruby":
		if inPlace(name, args) {
			for _, file := range operands(args) {
				a.checkWrite(file)
			}
		}
	case "patch":
		for _, file := range operands(args) {
			a.checkWrite(file)
		}
	}
	for n := range args {
		for _, option := range options {
			if value, ok := optionValue(args, n, option); ok {
				value.tilde = value.tilde || strings.HasPrefix(value.Text, "~")
				a.checkWrite(value)
			}
		}
	}
}

func inPlace(name string, args []Word) bool {
	if hasLong(args, "--in-place") {
		return true
	}
	return slices.ContainsFunc(args, func(w Word) bool {
		if name == "sed" || name == "gsed" {
			return strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.Contains(w.Text, "i")
		}
		letters, _, _ := strings.Cut(w.Text, ".") // -i.bak
		return strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && len(letters) < 6 && strings.Contains(letters, "i")
	})
}
