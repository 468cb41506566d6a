// Package keys finds the keys of services that the user has: in a variable, or in a file
// of the same name in ~/.ssh.
//
// Model providers have their own way to them (providers/keys.go), which also explains
// what it looked at. Here a key is there or it is not.
package keys

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"marvin/tools/internal/proc"
)

// maxKey bounds what is read of a file; real keys are below 300 bytes.
const maxKey = 4096

// Find returns the key of that name without white space around it, "" if there is none.
// The variable beats the file. Home may be "".
func Find(environ []string, home, name string) string {
	text := strings.TrimSpace(proc.Lookup(environ, name))
	if text != "" || home == "" {
		return text
	}
	path := filepath.Join(home, ".ssh", name)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "" // a pipe would be waited for
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxKey))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(content))
}
