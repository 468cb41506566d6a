package door

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// Place returns the path of the socket directory. The path is in runtimeDir (XDG_RUNTIME_DIR) if
// runtimeDir is an absolute path and the current user owns that directory. Otherwise, for example
// under sudo, the path is in tempDir and contains a hash of home, because each home has its own
// conversations.
func Place(runtimeDir, tempDir, home string) string {
	if info, err := os.Stat(runtimeDir); filepath.IsAbs(runtimeDir) && err == nil && info.IsDir() && ownedByUser(info) {
		return filepath.Join(runtimeDir, "marvin")
	}
	sum := sha256.Sum256([]byte(filepath.Clean(home)))
	return filepath.Join(tempDir, "marvin-"+strconv.Itoa(os.Getuid())+"-"+hex.EncodeToString(sum[:4]))
}

// Dir creates the directory for the sockets if needed. It returns an error if another user owns the
// directory, or if other users have access to it.
func Dir(path string) error {
	if err := os.Mkdir(path, 0o700); err != nil && !os.IsExist(err) {
		return fmt.Errorf("make the directory of live conversations: %w; set XDG_RUNTIME_DIR to a directory that you own", err)
	}
	return Private(path)
}

// Private checks that path is a directory that the current user owns and other users cannot access.
func Private(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("check the directory of live conversations: %w", err)
	}
	if !info.IsDir() || !ownedByUser(info) {
		return fmt.Errorf("%s is not a directory that you own; remove it, or set XDG_RUNTIME_DIR to a directory that you own", path)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("other users have access to %s; run chmod 700 %s", path, path)
	}
	return nil
}

// socketSuffix is the file name extension of a socket.
const socketSuffix = ".sock"

// nameOf returns the name of a process's socket.
func nameOf(process int) string { return strconv.Itoa(process) + socketSuffix }

// isSocket reports whether a directory entry is a Marvin socket.
func isSocket(entry fs.DirEntry) bool {
	return filepath.Ext(entry.Name()) == socketSuffix && entry.Type()&fs.ModeSocket != 0
}
