package gitcmd

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"marvin/messages/lists"
)

type setting struct{ key, value string }

// These settings apply to every git command. They request machine-readable output, no prompts, and
// no background processes.
var always = []setting{
	{"core.fsmonitor", "false"}, // other values run a program or start a daemon
	{"core.pager", "cat"},
	{"core.editor", "false"},
	{"sequence.editor", "false"},
	{"core.quotePath", "false"}, // git would escape non-ASCII names in octal
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
	{"gc.auto", "0"}, // otherwise git collects garbage in the background
	{"maintenance.auto", "false"},
}

// whileReading contains the settings for read-only git commands, in addition to [always].
var whileReading = []setting{
	{"core.hooksPath", "/dev/null"},
	{"core.sshCommand", "false"},
	{"core.askPass", "false"},
	{"diff.external", ""},
	{"gpg.program", "false"},
	{"log.showSignature", "false"},
	{"submodule.recurse", "false"},
	{"status.submoduleSummary", "false"}, // the summary runs git inside submodules
	{"protocol.allow", "never"},
	{"protocol.ext.allow", "never"},
	{"diff.noprefix", "false"},
	{"diff.mnemonicPrefix", "false"},
}

// readingEnv blocks all protocols and the download of missing objects. No setting can block these
// downloads, or a protocol that the configuration allows by name.
var readingEnv = []string{"GIT_ALLOW_PROTOCOL=", "GIT_PROTOCOL_FROM_USER=0", "GIT_NO_LAZY_FETCH=1"}

// everyEnv makes git write its messages in English, because this package recognizes some of them.
var everyEnv = []string{"LANGUAGE=en"}

// Literal returns pathspecs that match the paths literally, even if a path contains ":(top)" or
// "*". The environment variable GIT_LITERAL_PATHSPECS would do the same, but hooks would inherit
// it.
func Literal(paths ...string) []string {
	return lists.Map(paths, func(path string) string { return ":(literal)" + path })
}

// silence returns settings and the names of all configured filters. The settings disable all
// configured filters and hooks. Each filter and hook must be disabled by name. From git 2.54 on,
// the configuration can define hooks (Documentation/config/hook.adoc), which run in spite of
// core.hooksPath.
func silence(config []configured) (settings []setting, filters []string) {
	seen := map[string]bool{}
	for _, each := range config {
		section, rest, _ := strings.Cut(each.key, ".")
		dot := strings.LastIndexByte(rest, '.')
		if dot < 0 || section != "filter" && section != "hook" {
			continue
		}
		// Names of filters and hooks are case-sensitive and can contain dots.
		name := section + "." + rest[:dot]
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

// environ returns variables that pass settings to git. These settings override all configuration
// files.
func environ(settings []setting) []string {
	env := []string{"GIT_CONFIG_COUNT=" + strconv.Itoa(len(settings))}
	for i, each := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, each.key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, each.value))
	}
	return env
}
