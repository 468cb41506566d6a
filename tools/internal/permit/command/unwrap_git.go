package command

import (
	"strings"
)

func (u *unwrapper) gitRuns(args []Word) (list []inner) {
	for n := 1; n < len(args); n++ {
		if args[n-1].Text == "-c" {
			if command, ok := gitSetting(args[n].Text); ok {
				list = append(list, inner{script: &Word{Text: command, runs: args[n].runs}})
			}
		}
	}
	rest := WithoutGitOptions(args)
	if len(rest) < 2 {
		return list
	}
	var options []string
	switch rest[0].Text {
	case "bisect":
		if rest[1].Text == "run" {
			return append(list, inner{words: rest[2:]})
		}
	case "submodule":
		if words := WithoutGitOptions(rest[1:]); len(words) > 0 && words[0].Text == "foreach" {
			return append(list, joined(wrapper{}.commandIn(words[1:]))...)
		}
	case "for-each-repo":
		if words := (wrapper{}).commandIn(rest[1:]); len(words) > 0 {
			return append(list, inner{words: append([]Word{{Text: "git"}}, words...)})
		}
	case "config":
		for n := 2; n < len(rest); n++ {
			if command, ok := gitSetting(rest[n-1].Text + "=" + rest[n].Text); ok {
				list = append(list, inner{script: &Word{Text: command, runs: rest[n].runs}})
			}
		}
	case "rebase":
		options = []string{"-x", "--exec"}
	case "difftool":
		options = []string{"-x", "--extcmd"}
	case "grep":
		options = []string{"-O", "--open-files-in-pager"}
	case "fetch", "pull", "clone", "ls-remote", "push", "archive":
		options = []string{"--upload-pack", "--receive-pack", "--exec"}
	}
	for n := range rest {
		for _, option := range options {
			if value, ok := optionValue(rest, n, option); ok && (option != "-O" || rest[n].Text != "-O") {
				list = append(list, inner{script: &value})
			}
		}
		if _, command, ok := strings.Cut(rest[n].Text, "ext::"); ok && len(options) > 0 {
			list = append(list, inner{script: &Word{Text: command}})
		}
	}
	return list
}

// gitSetting returns the command line that git runs because of a setting (key=value).
func gitSetting(setting string) (command string, ok bool) {
	key, value, _ := strings.Cut(setting, "=")
	key = strings.ToLower(key)
	section, rest, _ := strings.Cut(key, ".")
	last := rest[strings.LastIndexByte(rest, '.')+1:]
	switch {
	case section == "alias":
		if command, shell := strings.CutPrefix(value, "!"); shell {
			return command, true
		}
		return "git " + value, true
	case key == "credential.helper" || section == "credential" && last == "helper" || section == "submodule" && last == "update":
		return strings.CutPrefix(value, "!")
	}
	switch key {
	case "core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "core.askpass", "core.gitproxy", "sequence.editor", "diff.external", "gpg.program",
		"interactive.difffilter", "uploadpack.packobjectshook", "trailer.command":
		return value, true
	}
	switch section {
	case "pager":
		return value, true
	case "filter", "diff", "merge", "difftool", "mergetool", "gpg", "remote", "sendemail", "browser", "man":
		switch last {
		case "clean", "smudge", "process", "command", "textconv", "driver", "cmd", "program", "uploadpack", "receivepack", "vcs", "tocmd", "cccmd":
			return value, true
		}
	}
	return "", false
}

// WithoutGitOptions skips git's own options, and returns the subcommand and its arguments.
func WithoutGitOptions(args []Word) []Word {
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		switch args[0].Text {
		case "-c", "-C", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env", "--attr-source", "--list-cmds":
			args = args[min(2, len(args)):]
		default:
			args = args[1:]
		}
	}
	return args
}
