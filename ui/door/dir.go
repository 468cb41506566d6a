package door

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// Dir is the directory of the sockets of this user, which it makes if needed. Runtime is
// XDG_RUNTIME_DIR, and temp the directory for a machine without one. A directory that
// others may enter, or that is not this user's, is refused.
func Dir(runtime, temp string) (string, error) {
	path := filepath.Join(runtime, "marvin")
	if !filepath.IsAbs(runtime) {
		path = filepath.Join(temp, "marvin-"+strconv.Itoa(os.Getuid()))
	}
	if err := os.Mkdir(path, 0o700); err != nil && !os.IsExist(err) {
		return "", fmt.Errorf("make the directory of live conversations: %w; set XDG_RUNTIME_DIR to a directory of yours", err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return "", fmt.Errorf("look at the directory of live conversations: %w", err)
	}
	if !info.IsDir() || !ownedByUser(info) {
		return "", fmt.Errorf("%s is not a directory of yours; remove it, or set XDG_RUNTIME_DIR to a directory of yours", path)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("others may enter %s; run chmod 700 %s", path, path)
	}
	return path, nil
}

// socketSuffix ends the names of sockets.
const socketSuffix = ".sock"

// nameOf is the socket of a process.
func nameOf(process int) string { return strconv.Itoa(process) + socketSuffix }

// isSocket says whether a file of the directory is one.
func isSocket(entry fs.DirEntry) bool {
	return filepath.Ext(entry.Name()) == socketSuffix && entry.Type()&fs.ModeSocket != 0
}
