package proc

import (
	"crypto/rand"
	"slices"
	"strings"
)

// markName carries the mark of a call. A Marvin inside a Marvin appends its own,
// so that the outer one still finds what the inner one started.
const markName = "MARVIN_CALL"

// passName is a variable of the user's own environment that names, separated by
// commas, what children get although it looks like a secret: SSH_AUTH_SOCK,NPM_TOKEN.
const passName = "MARVIN_PASS_ENV"

// defaultPath is for the rare parent that has none.
const defaultPath = "/usr/local/bin:/usr/bin:/bin"

// quiet makes programs that would ask or page fail or print instead.
var quiet = []string{
	"PAGER=cat", "GIT_PAGER=cat", "MANPAGER=cat", "SYSTEMD_PAGER=cat",
	"EDITOR=false", "VISUAL=false", "GIT_EDITOR=false", "GIT_SEQUENCE_EDITOR=false",
	"GIT_TERMINAL_PROMPT=0", "SSH_ASKPASS_REQUIRE=never", "DEBIAN_FRONTEND=noninteractive",
	"TERM=dumb",
}

// childEnviron is what a child gets, and the mark that is in it. It takes any
// environment: values that are not UTF-8 pass, what is no assignment is dropped.
func childEnviron(command Command) (mark string, environ []string) {
	mark = rand.Text()
	outer, hasPath := "", false
	passed := strings.Split(Lookup(command.Environ, passName), ",")
	for _, entry := range command.Environ {
		name, value, ok := strings.Cut(entry, "=")
		switch {
		case !ok || name == "" || strings.ContainsRune(entry, 0):
		case name == markName:
			outer = value + ","
		case command.Marvin && misleads(name):
		case command.Marvin, slices.Contains(passed, name), !withheld(name) && !secret(name, value):
			environ = append(environ, entry)
			hasPath = hasPath || name == "PATH" && value != ""
		}
	}
	if !hasPath {
		environ = append(environ, "PATH="+defaultPath)
	}
	environ = append(environ, quiet...)
	environ = append(environ, "PWD="+command.Dir, markName+"="+outer+mark)
	return mark, append(environ, command.Env...)
}

// Lookup returns the value of a variable in an environment, "" if there is none.
// The last assignment counts, as it does for the child.
func Lookup(environ []string, name string) string {
	for _, entry := range slices.Backward(environ) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// gitKept are the variables of git that say who and how, not where.
var gitKept = []string{
	"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
	"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CEILING_DIRECTORIES",
	"GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH",
}

// withheld are variables that would mislead a child: git's repository of someone
// else (a hook that started Marvin), a Python environment of another directory,
// dialogs for passwords, Marvin's own settings.
func withheld(name string) bool {
	switch name {
	case "VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV", "OLDPWD", "SSH_ASKPASS", "SUDO_ASKPASS":
		return true
	}
	return strings.HasPrefix(name, "MARVIN_") || misleads(name)
}

// misleads are variables that would lead even a Marvin to another repository or to
// the ticket of another work.
func misleads(name string) bool {
	return name == "MARVIN_TICKET" || strings.HasPrefix(name, "GIT_") && !slices.Contains(gitKept, name)
}

// secretWords mark a variable as secret when they are one of its words, and
// secretEnds when a word ends so. AUTH covers SSH_AUTH_SOCK: whoever reaches the
// agent can log in as the user, wherever the user can.
var (
	secretWords = []string{"KEY", "KEYS", "AUTH", "PASS", "PWD", "PAT", "CREDS", "DSN", "COOKIE", "COOKIES"}
	secretEnds  = []string{
		"KEY", "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWORDS", "PASSWD",
		"PASSPHRASE", "SSHPASS", "CREDENTIAL", "CREDENTIALS",
	}
	secretValues = []string{
		"sk-", "ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "-----BEGIN",
	}
)

// secret says whether a variable holds something to log in with, by its name or by
// the look of its value.
func secret(name, value string) bool {
	upper := strings.ToUpper(name)
	if upper == "PWD" {
		return false
	}
	if strings.Contains(upper, "PASSWORD") || strings.Contains(upper, "SECRET") {
		return true
	}
	words := strings.FieldsFunc(upper, func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	for _, word := range words {
		if slices.Contains(secretWords, word) ||
			slices.ContainsFunc(secretEnds, func(end string) bool { return strings.HasSuffix(word, end) }) {
			return true
		}
	}
	if slices.ContainsFunc(secretValues, func(start string) bool { return strings.HasPrefix(value, start) }) {
		return true
	}
	// A proxy with a password stays: without it the child has no network at all.
	return hasPassword(value) && !strings.HasSuffix(upper, "_PROXY")
}

// hasPassword recognises scheme://user:password@host.
func hasPassword(value string) bool {
	_, rest, isURL := strings.Cut(value, "://")
	if !isURL {
		return false
	}
	authority, _, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return false
	}
	_, password, _ := strings.Cut(authority[:at], ":")
	return password != ""
}
