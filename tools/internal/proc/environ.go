package proc

import (
	"crypto/rand"
	"path"
	"slices"
	"strings"

	"marvin/tools/internal/envvar"
)

// markName is the environment variable that contains the mark of a call. A new mark is appended to
// inherited marks, so that an outer Marvin process finds the descendants of an inner one.
const markName = "MARVIN_CALL"

// PassName is the environment variable that lists additional variables for child processes, for
// example "NPM_TOKEN,MYAPP_*". A variable that looks like a secret must be listed by its full name,
// because no pattern passes it.
const PassName = "MARVIN_PASS_ENV"

// defaultPath replaces a missing PATH.
const defaultPath = "/usr/local/bin:/usr/bin:/bin"

// quiet disables prompts, editors and pagers in child processes.
var quiet = []string{
	"PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "SYSTEMD_PAGER=cat",
	"EDITOR=false", "VISUAL=false", "GIT_EDITOR=false", "GIT_SEQUENCE_EDITOR=false",
	"GIT_TERMINAL_PROMPT=0", "SSH_ASKPASS_REQUIRE=never", "DEBIAN_FRONTEND=noninteractive",
	"TERM=dumb",
}

// childEnviron returns a child's mark, and the environment that contains it. It preserves invalid
// UTF-8 in command.Environ, and drops entries that are not assignments.
func childEnviron(command Command) (mark string, made []string) {
	mark = rand.Text()
	outer, hasPath, own := "", false, command.usedByMarvin()
	passed := passedOn(command.Environ)
	trees := distrusted(command.Environ)
	for _, entry := range command.Environ {
		name, value, ok := strings.Cut(entry, "=")
		switch {
		case !ok || name == "" || strings.ContainsRune(entry, 0), name == distrustName:
		case name == envvar.DepthName, name == envvar.ReadOnlyName: // set below
		case name == markName:
			outer = value + ","
		case command.Marvin && misleads(name):
		case own && misguides(name, value, trees):
		case own && envvar.SameName(name, "PATH"): // set below
		case command.Marvin, passed.passesOn(name, value):
			made = append(made, entry)
			hasPath = hasPath || envvar.SameName(name, "PATH") && value != ""
		}
	}
	if own {
		trusted, _ := TrustedPath(command.Environ)
		made = append(made, "PATH="+trusted)
	} else if !hasPath {
		made = append(made, "PATH="+defaultPath)
	}
	made = append(append(made, quiet...), envvar.ForChild(command.Environ)...)
	made = append(made, "PWD="+command.Dir, markName+"="+outer+mark)
	return mark, append(made, command.Env...)
}

// passes is the list of names and patterns in the environment variable [PassName].
type passes []string

func passedOn(environ []string) (all passes) {
	for _, name := range strings.Split(Lookup(environ, PassName), ",") {
		if name = strings.TrimSpace(name); name != "" {
			all = append(all, name)
		}
	}
	return all
}

func (p passes) passesOn(name, value string) bool {
	if slices.Contains(p, name) {
		return true
	}
	return (allowed(name) || p.matchesPattern(name)) && !withheld(name) && !secret(name, value)
}

func (p passes) matchesPattern(name string) bool {
	return slices.ContainsFunc(p, func(pattern string) bool {
		matches, err := path.Match(pattern, name)
		return matches && err == nil
	})
}

// Withheld returns the names of variables that do not reach children: variables that look like
// secrets, and unknown variables. It omits variables that would mislead a child, and variables that
// a shell or Marvin sets for a child.
func Withheld(environ []string) (secrets, unknown []string) {
	passed := passedOn(environ)
	for _, entry := range environ {
		name, value, ok := strings.Cut(entry, "=")
		switch {
		case !ok, name == "", passed.passesOn(name, value), withheld(name), slices.Contains(ours, name):
		case secret(name, value):
			secrets = append(secrets, name)
		default:
			unknown = append(unknown, name)
		}
	}
	slices.Sort(secrets)
	slices.Sort(unknown)
	return slices.Compact(secrets), slices.Compact(unknown)
}

// ours lists the variables that Marvin or a shell sets for a child process.
var ours = []string{"PWD", "SHLVL", "_", "TERM", "PAGER", "MANPAGER", "SYSTEMD_PAGER", "EDITOR", "VISUAL", "SSH_ASKPASS_REQUIRE"}

// Lookup returns the value of a variable in an environment, or "" if the variable is not set.
func Lookup(from []string, name string) string { return envvar.Lookup(from, name) }

// gitKept lists the only git variables that children get. Most of the other git variables name
// paths.
var gitKept = []string{
	"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
	"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES",
	"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH",
}

// withheld returns true if a variable would mislead child processes and must not be passed to them.
// Examples are the variables of git hooks, Python environments, password dialogs and Marvin itself.
func withheld(name string) bool {
	switch name {
	case "VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "OLDPWD", "SSH_ASKPASS", "SUDO_ASKPASS":
		return true
	}
	return strings.HasPrefix(name, "MARVIN_") || misleads(name)
}

// misleads returns true if a variable could make a child use the wrong repository or another
// session's ticket. Such a variable is withheld even from a child that runs Marvin.
func misleads(name string) bool {
	return name == "MARVIN_TICKET" || strings.HasPrefix(name, "GIT_") && !slices.Contains(gitKept, name)
}
