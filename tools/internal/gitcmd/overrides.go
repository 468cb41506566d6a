package gitcmd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// setting is one configuration key with the value that is to win.
type setting struct{ key, value string }

// always applies to every git: machine-readable output, no prompts, no background processes.
var always = []setting{
	{"core.fsmonitor", "false"}, // a program, or a daemon that stays
	{"core.pager", "cat"},
	{"core.editor", "false"},
	{"sequence.editor", "false"},
	{"core.quotePath", "false"}, // names as they are, not in octal
	{"color.ui", "false"},
	{"color.branch", "false"},
	{"color.diff", "false"},
	{"color.grep", "false"},
	{"color.showBranch", "false"},
	{"color.status", "false"},
	{"color.advice", "false"},
	{"color.decorate", "false"},
	{"color.transport", "false"},
	{"blame.coloring", "none"},
	{"blame.showEmail", "false"},
	{"column.ui", "never"},
	{"gc.auto", "0"}, // would be started in the background
	{"maintenance.auto", "false"},
}

// whileReading is what else must not run when git only looks.
var whileReading = []setting{
	{"core.hooksPath", "/dev/null"},
	{"core.sshCommand", "false"},
	{"core.askPass", "false"},
	{"diff.external", ""},
	{"gpg.program", "false"},
	{"log.showSignature", "false"},
	{"submodule.recurse", "false"},
	{"status.submoduleSummary", "false"}, // runs git inside of submodules
	{"protocol.allow", "never"},
	{"protocol.ext.allow", "never"},
	{"diff.noprefix", "false"},
	{"diff.mnemonicPrefix", "false"},
}

// readingEnv closes what configuration cannot: a protocol that the repository's
// configuration allows by name, and missing objects that would be fetched.
var readingEnv = []string{"GIT_ALLOW_PROTOCOL=", "GIT_PROTOCOL_FROM_USER=0", "GIT_NO_LAZY_FETCH=1"}

// everyEnv makes messages English, because some are looked for.
var everyEnv = []string{"LANGUAGE=en"}

// Literal makes pathspecs of paths, so that :(top) or * in a name mean themselves.
// The variable that git has for this would reach the hooks and change their gits.
func Literal(paths ...string) []string {
	specs := make([]string, len(paths))
	for i, path := range paths {
		specs[i] = ":(literal)" + path
	}
	return specs
}

// silence returns settings against the programs that a configuration names under
// names of its own: filters, and hooks that are configured rather than files (git
// 2.54, Documentation/config/hook.adoc; core.hooksPath does not turn those off).
func silence(config []configured) (settings []setting, filters []string) {
	seen := map[string]bool{}
	for _, each := range config {
		section, rest, _ := strings.Cut(each.key, ".")
		dot := strings.LastIndexByte(rest, '.')
		if dot < 0 || section != "filter" && section != "hook" {
			continue
		}
		name := section + "." + rest[:dot] // the name is case-sensitive and may hold dots
		if seen[name] {
			continue
		}
		seen[name] = true
		if section == "hook" {
			settings = append(settings, setting{name + ".enabled", "false"})
			continue
		}
		filters = append(filters, rest[:dot])
		settings = append(settings, setting{name + ".clean", ""}, setting{name + ".smudge", ""},
			setting{name + ".process", ""}, setting{name + ".required", "false"})
	}
	slices.Sort(filters)
	return settings, filters
}

// environ hands settings to git, where they win over every file.
func environ(settings []setting) []string {
	env := []string{"GIT_CONFIG_COUNT=" + strconv.Itoa(len(settings))}
	for i, each := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, each.key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, each.value))
	}
	return env
}
