// Package keys reads the user's keys from environment variables, or from files of the same names in
// ~/.ssh. No other package reads these files.
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

// maxKey is the maximum size of a key file in bytes. Real keys are shorter than 300 bytes.
const maxKey = 4096

// dir is the directory of key files, below the home directory.
const dir = ".ssh"

// Find returns the key with this name, or "" if there is none. If home is "", Find looks only at
// the environment. White space around the key is removed.
func Find(environ []string, home, name string) string {
	if text := strings.TrimSpace(envvar.Lookup(environ, name)); text != "" || home == "" {
		return text
	}
	text, _, _ := Read(home, name)
	return text
}

// Read returns the key in the named file of ~/.ssh, without surrounding white space. If the file
// cannot be used, the last result is a phrase that can follow the path, such as "does not exist".
func Read(home, name string) (text, path, problem string) {
	path = filepath.Join(home, dir, name)
	text, problem = ReadFile(path)
	return text, path, problem
}

// ReadFile is like [Read], but takes the path of the file.
func ReadFile(path string) (text, problem string) {
	// With O_NONBLOCK, opening a pipe does not block.
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

// Named reports whether a name looks like that of a key file, for example "GEMINI_API_KEY". SSH
// keys are named differently, so Named needs no list of services.
func Named(name string) bool {
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" && strings.Contains(name, "_")
}

// public returns true if name ends in "_ID". Such a file contains an identifier, which is not
// secret and can appear in URLs.
func public(name string) bool { return strings.HasSuffix(name, "_ID") }

// All returns the keys in all key files.
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
