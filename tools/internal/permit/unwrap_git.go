package permit

import (
	"strings"
)

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
