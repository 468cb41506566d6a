// Package keys finds the keys that the user has: in a variable, or in a file of the same
// name in ~/.ssh. It is the only reader of those files, for models, for services, and for
// those who keep them out of texts.
package keys

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"marvin/tools/internal/envvar"
)

// maxKey bounds what is read of a file; real keys are below 300 bytes.
const maxKey = 4096

// dir is where the files are, below the home directory.
const dir = ".ssh"

// Find returns the key of a name without surrounding space, or "". The variable wins over the file.
// Home may be "".
func Find(environ []string, home, name string) string {
	if text := strings.TrimSpace(envvar.Lookup(environ, name)); text != "" || home == "" {
		return text
	}
	text, _, _ := Read(home, name)
	return text
}

// Read returns the key in the file of that name, without white space around it, and the
// file's path; or what is the matter with the file, as the end of a sentence about it.
func Read(home, name string) (text, path, problem string) {
	path = filepath.Join(home, dir, name)
	text, problem = ReadFile(path)
	return text, path, problem
}

// ReadFile is Read for a path.
func ReadFile(path string) (text, problem string) {
	// O_NONBLOCK: a pipe would be waited for.
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return "", "does not exist"
	}
	if err != nil {
		return "", "cannot be read"
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxKey {
		return "", "is not a key file"
	}
	content, err := io.ReadAll(io.LimitReader(file, maxKey))
	if err != nil {
		return "", "cannot be read"
	}
	if text = strings.TrimSpace(string(content)); text == "" {
		return "", "is empty"
	}
	return text, ""
}

// Named matches names such as GEMINI_API_KEY, under which a key can be a file. This distinguishes
// them from SSH keys without a list of services.
func Named(name string) bool {
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" && strings.Contains(name, "_")
}

// public matches names of public values, which appear in addresses.
func public(name string) bool { return strings.HasSuffix(name, "_ID") }

// All are the keys in all such files, as they are now.
func All(home string) (values []string) {
	if home == "" {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(home, dir))
	if err != nil {
		return nil
	}
	for _, entry := range entries {
		if !Named(entry.Name()) || public(entry.Name()) {
			continue
		}
		if text, _, problem := Read(home, entry.Name()); problem == "" {
			values = append(values, text)
		}
	}
	return values
}
