package copilot

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// tokenVars lists the CLI's token variables in order of precedence (see `copilot help
// environment`).
var tokenVars = []string{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"}

// Usable reports whether Copilot can probably answer, and the reason. It requires an installed CLI
// and either the user's own provider, a token, or a login with the CLI. A login with the GitHub CLI
// does not count here, but suffices for --provider copilot. Usable does not start the CLI, because
// a start takes half a second.
func Usable(environ []string) (usable bool, why string) {
	if _, err := Find(environ); err != nil {
		return false, err.Error()
	}
	if lookup(environ, ownKeyVar) != "" {
		return true, "the Copilot CLI is installed and " + ownKeyVar + " is set"
	}
	for _, name := range tokenVars {
		// The CLI refuses classic tokens, which begin with ghp_.
		if token := lookup(environ, name); token != "" && !strings.HasPrefix(token, "ghp_") {
			return true, "the Copilot CLI is installed and " + name + " is set"
		}
	}
	if noted := filepath.Join(home(environ), "config.json"); loggedIn(noted) {
		return true, "the Copilot CLI is installed and logged in"
	}
	return false, "the Copilot CLI is installed, but not logged in"
}

// home determines the CLI's state directory from environment variables. If they are unset, the
// result is "".
func home(environ []string) string {
	if dir := lookup(environ, "COPILOT_HOME"); dir != "" {
		return dir
	}
	if dir := lookup(environ, homeVar); dir != "" {
		return filepath.Join(dir, ".copilot")
	}
	return ""
}

// loggedIn reports whether the file at path, which is JSON with comment lines, records a login. The
// file does not contain the token, which is in a keychain.
func loggedIn(path string) bool {
	content, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	var plain []byte
	for line := range bytes.Lines(content) {
		if !bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) {
			plain = append(plain, line...)
		}
	}
	var noted struct {
		Last  any `json:"lastLoggedInUser"`
		Older any `json:"last_logged_in_user"`
	}
	return json.Unmarshal(plain, &noted) == nil && (noted.Last != nil || noted.Older != nil)
}
