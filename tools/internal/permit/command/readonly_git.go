package command

import (
	"slices"
	"strings"
)

// gitReads reports whether a git command is read-only. Diff programs from the repository's
// configuration are allowed, because git runs them in the sandbox.
func (i *inspector) gitReads(args []Word) bool {
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		switch text := args[0].Text; {
		case text == "--no-pager" || text == "-P" || text == "--no-optional-locks" || text == "--literal-pathspecs":
			args = args[1:]
		case text == "--version" && len(args) == 1:
			return true
		case text == "-C" && len(args) > 1 && i.locate(args[1]) <= whole:
			args = args[2:]
		case text == "-c" && len(args) > 1 && harmlessSetting(args[1].Text) && !strings.HasPrefix(args[1].Text, "alias."):
			args = args[2:]
		default:
			return false
		}
	}
	if len(args) == 0 {
		return true
	}
	subcommand, args := args[0].Text, args[1:]
	words := operands(args)
	only := func(options string) bool {
		allowed := strings.Fields(options)
		return !slices.ContainsFunc(args, func(w Word) bool {
			option, _, _ := strings.Cut(w.Text, "=")
			return strings.HasPrefix(w.Text, "-") && !slices.Contains(allowed, option)
		})
	}
	first := func(list ...string) bool { return len(words) > 0 && slices.Contains(list, words[0].Text) }
	const filters = " --contains --no-contains --merged --no-merged --points-at"
	switch subcommand {
	case "status", "log", "diff", "show", "blame", "shortlog", "describe", "rev-parse", "rev-list", "ls-files", "ls-tree", "name-rev", "merge-base", "for-each-ref", "show-ref",
		"show-branch", "diff-tree", "diff-index", "diff-files", "count-objects", "whatchanged", "cherry", "range-diff", "check-ignore", "check-attr", "cat-file", "grep", "version", "var":
		return !slices.ContainsFunc(args, func(w Word) bool {
			return strings.HasPrefix(w.Text, "--out") || strings.HasPrefix(w.Text, "--ext") || strings.HasPrefix(w.Text, "--open") || strings.HasPrefix(w.Text, "-O") || strings.HasPrefix(w.Text, "--filters") ||
				strings.HasPrefix(w.Text, "--textconv") || strings.HasPrefix(w.Text, "--no-index") || strings.HasPrefix(w.Text, "--contents")
		}) && i.allHere(words)
	case "branch":
		return only("-a -r -v -vv --list -l --show-current --all --remotes --verbose --sort --format --no-color --color --column --no-column"+filters) && (len(words) == 0 || hasLong(args, "--list") || oneOf(args, strings.Fields("-l"+filters)...) != "")
	case "tag":
		return only("-l --list -n --sort --format --column --no-column"+filters) && (len(words) == 0 || oneOf(args, strings.Fields("-l --list"+filters)...) != "")
	case "remote":
		return only("-v --verbose --all --push") && (len(words) == 0 || first("get-url"))
	case "stash":
		return first("list") || first("show") && !slices.ContainsFunc(args, func(w Word) bool { return strings.HasPrefix(w.Text, "--out") || strings.HasPrefix(w.Text, "--ext") })
	case "config":
		return only("--get --get-all --get-regexp --list -l --local --show-origin --show-scope --name-only -z --type --bool --int") && (len(words) <= 1 || hasLong(args, "--get") || first("get", "list"))
	case "reflog":
		return len(words) == 0 || first("show")
	case "worktree", "notes":
		return first("list")
	case "bisect":
		return first("log")
	case "submodule":
		return len(words) == 0 || first("status")
	}
	return false
}
