package command

import (
	"slices"
	"strings"
)

// git assesses git commands that can lose commits or uncommitted work, or change global settings.
func (a *assessor) git(part Part, args []Word) {
	if len(args) == 0 {
		return
	}
	subcommand, args := args[0].Text, args[1:]
	lose := func(why, try string, marks ...string) {
		a.report.Dangers = append(a.report.Dangers, Danger{Part: part, Why: why, Marks: append([]string{"git", subcommand}, marks...), Try: try})
	}
	switch subcommand {
	case "push":
		a.gitPush(args, lose)
	case "config":
		if hasLong(args, "--global") || hasLong(args, "--system") {
			lose("changes git's settings for all repositories", "Change the settings of this repository only, without --global or --system.", firstOption(args))
		}
	default:
		losesWork(subcommand, args, lose)
		losesCommits(subcommand, args, lose)
	}
}

func losesWork(subcommand string, args []Word, lose func(why, try string, marks ...string)) {
	const stash = "Commit first, or use git stash, which can be undone."
	switch subcommand {
	case "reset":
		if mark := cutShort(args, "--hard", "--merge"); mark != "" {
			lose("discards uncommitted work", stash, mark)
		}
	case "clean":
		if (hasShort(args, 'f') || hasLong(args, "--force")) && !hasShort(args, 'n') && !hasLong(args, "--dry-run") {
			lose("deletes files that git does not track", "Look with \"git clean -n\", then delete the files by name.", firstOption(args))
		}
	case "checkout", "switch":
		if hasShort(args, 'f') || hasLong(args, "--force") || hasLong(args, "--discard-changes") {
			lose("discards uncommitted work", stash, firstOption(args))
		} else if mark := oneOf(args, ".", "*", ":/", "./"); mark != "" {
			lose("discards all uncommitted work", stash, mark)
		}
	case "restore":
		staged := hasLong(args, "--staged") || hasShort(args, 'S')
		if mark := oneOf(args, ".", "*", ":/", "./"); mark != "" && (!staged || hasLong(args, "--worktree") || hasShort(args, 'W')) {
			lose("discards all uncommitted work", stash, mark)
		}
	case "rm":
		if hasShort(args, 'f') || hasLong(args, "--force") || hasShort(args, 'r') && !hasLong(args, "--cached") {
			lose("deletes files, including their uncommitted changes", "Name the files, without -f.", firstOption(args))
		}
	case "stash":
		if mark := oneOf(args, "drop", "clear"); mark != "" {
			lose("deletes stashed work", "Leave the stash; it takes little space.", mark)
		}
	case "worktree":
		if mark := oneOf(args, "remove"); mark != "" && (hasShort(args, 'f') || hasLong(args, "--force")) {
			lose("deletes a worktree with its uncommitted work", stash, mark)
		}
	}
}

func losesCommits(subcommand string, args []Word, lose func(why, try string, marks ...string)) {
	switch subcommand {
	case "branch":
		if hasShort(args, 'D') || (hasShort(args, 'd') || hasLong(args, "--delete")) && (hasShort(args, 'f') || hasLong(args, "--force")) {
			lose("deletes a branch with commits that may be nowhere else", "\"git branch -d\" deletes only merged branches.", firstOption(args))
		}
	case "reflog":
		if mark := oneOf(args, "expire", "delete"); mark != "" {
			lose("deletes the reflog, the record that leads back to earlier commits", "", mark)
		}
	case "gc", "prune":
		if mark := oneOf(args, "--prune=now", "--prune=all", "--expire=now"); mark != "" {
			lose("deletes commits and files that nothing refers to, such as dropped stashes", "\"git gc\" without that option keeps them for two weeks.", mark)
		}
	case "filter-branch", "filter-repo":
		lose("rewrites all commits", "")
	case "update-ref":
		if hasShort(args, 'd') {
			lose("deletes a reference", "", "-d")
		}
	}
}

func (a *assessor) gitPush(args []Word, lose func(string, string, ...string)) {
	const try = "Push without force; after a rebase, push to a new branch."
	for _, arg := range args {
		text := arg.Text
		switch {
		case strings.HasPrefix(text, "--force") || cutShort([]Word{arg}, "--mirror", "--prune", "--delete", "--force") != "":
			lose("overwrites or deletes work that others have", try, text)
			return
		case strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") && strings.ContainsAny(text, "fd"):
			lose("overwrites or deletes work that others have", try, text)
			return
		case strings.HasPrefix(text, "+") || strings.HasPrefix(text, ":") && len(text) > 1:
			lose("overwrites or deletes a branch that others have", try, text)
			return
		}
	}
}

// cutShort finds the first argument that equals or abbreviates one of the long options.
func cutShort(args []Word, options ...string) string {
	for _, arg := range args {
		for _, option := range options {
			if len(arg.Text) > 3 && strings.HasPrefix(option, arg.Text) {
				return arg.Text
			}
		}
	}
	return ""
}

// oneOf returns the first argument that is one of the words.
func oneOf(args []Word, words ...string) string {
	for _, arg := range args {
		if slices.Contains(words, arg.Text) {
			return arg.Text
		}
	}
	return ""
}

func firstOption(args []Word) string {
	for _, arg := range args {
		if strings.HasPrefix(arg.Text, "-") {
			return arg.Text
		}
	}
	return ""
}
