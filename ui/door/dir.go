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

// Place returns the directory of the sockets. Runtime is XDG_RUNTIME_DIR. If runtime is empty or
// not a directory of this user, as under su and sudo, Place returns a directory in temp. Its name
// depends on home, because each home has its own conversations.
func Place(runtime, temp, home string) string {
	if info, err := os.Stat(runtime); filepath.IsAbs(runtime) && err == nil && info.IsDir() && ownedByUser(info) {
		return filepath.Join(runtime, "marvin")
	}
	sum := sha256.Sum256([]byte(filepath.Clean(home)))
	return filepath.Join(temp, "marvin-"+strconv.Itoa(os.Getuid())+"-"+hex.EncodeToString(sum[:4]))
}

// Dir creates the directory of the sockets if needed. It refuses a directory that others may enter
// or that another user owns.
func Dir(path string) error {
	if err := os.Mkdir(path, 0o700); err != nil && !os.IsExist(err) {
		return fmt.Errorf("make the directory of live conversations: %w; set XDG_RUNTIME_DIR to a directory that you own", err)
	}
	return Private(path)
}

// Private returns an error unless the path is a directory that belongs to this user and that other
// users may not enter.
func Private(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("look at the directory of live conversations: %w", err)
	}
	if !info.IsDir() || !ownedByUser(info) {
		return fmt.Errorf("%s is not a directory that you own; remove it, or set XDG_RUNTIME_DIR to a directory that you own", path)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("other users have access to %s; run chmod 700 %s", path, path)
	}
	return nil
}

// socketSuffix is the extension of sockets.
const socketSuffix = ".sock"

// nameOf returns the name of a process's socket.
func nameOf(process int) string { return strconv.Itoa(process) + socketSuffix }

// isSocket reports whether a directory entry is a socket of Marvin.
func isSocket(entry fs.DirEntry) bool {
	return filepath.Ext(entry.Name()) == socketSuffix && entry.Type()&fs.ModeSocket != 0
}
