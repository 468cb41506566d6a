package jail

import (
	"fmt"
	"slices"
	"strings"
)

// explain describes the limits of the sandbox in one line for the model.
func (j *Jail) explain() string {
	network, temp := "", "a /tmp of its own"
	if lack(j.keeper.lacks.Load())&noMounts != 0 {
		temp = "$TMPDIR; /tmp is read-only"
	}
	switch {
	case j.plan.Network:
		network = "; it may contact only allowed hosts"
	case j.plan.Offline:
		network = "; the command has its own network and cannot reach any other"
	}
	return fmt.Sprintf("[sandbox: a command can write only below %s, in package manager caches and in %s; .git/config and .git/hooks are read-only%s. Files and sockets hidden from the command: %s. The user can change these limits with --sandbox, and make hidden files readable with \"sandbox_read:\" in config.yaml]\n",
		j.plan.Root, temp, network, j.hiddenNote())
}

// mostNamed is the maximum number of hidden paths that a message names.
const mostNamed = 12

// hiddenNote describes the files and sockets that are hidden from a command.
func (j *Jail) hiddenNote() string {
	home := j.keeper.home()
	return describeHidden(j.hidden(), j.keeper.state(home), home)
}

// describeHidden summarizes hidden paths for a message. Marvin's own directories, in ownDirs,
// become one item.
func describeHidden(hidden, ownDirs []string, home string) string {
	var names []string
	keys, sockets := 0, 0
	for _, path := range hidden {
		rest, ofHome := strings.CutPrefix(path, home+"/")
		switch {
		case slices.Contains(ownDirs, path):
		case home != "" && ofHome && strings.HasPrefix(rest, ".ssh/"):
			keys++
		case home != "" && ofHome && !slices.Contains(ownSocketPlaces[:], rest):
			names = append(names, "~/"+rest)
		default:
			sockets++
		}
	}
	if keys > 0 {
		names = append([]string{fmt.Sprintf("keys in ~/.ssh (%d)", keys)}, names...)
	}
	if more := len(names) - mostNamed; more > 0 {
		names = append(names[:mostNamed], fmt.Sprintf("%d more in ~", more))
	}
	if sockets > 0 {
		names = append(names, fmt.Sprintf("sockets of other programs (%d)", sockets))
	}
	return strings.Join(append(names, "Marvin's own files"), ", ")
}

// signs are substrings of error messages. Each indicates an error that a jail can cause.
var signs = []string{
	"ermission denied", "ead-only file system", "peration not permitted", "EACCES", "EROFS", "EPERM",
	"redential", "uthenticat", "nauthorized", "not logged in", "auth login", "No secret key", "gpg-agent", "No agent", "failed to sign",
	"onnection refused", "ECONNREFUSED", "annot connect", "ould not connect", "ailed to connect",
	// git could not write to .git/config, or to a repository outside the project
	"Device or resource busy", "unable to create temporary object directory",
}

// Note explains the limits of the jail if they could be the reason why a command failed. In other
// cases, and for a nil Jail, Note returns "".
func (j *Jail) Note(exitCode int, said string) string {
	if j == nil || exitCode == 0 {
		return ""
	}
	if j.plan.Offline && !j.plan.Network || slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(said, sign) }) {
		return j.explain()
	}
	return ""
}
