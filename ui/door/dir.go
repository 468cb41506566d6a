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

// Place is where the sockets are. Runtime is XDG_RUNTIME_DIR. Without it, or if it is not a directory
// of this user, as behind su and sudo, each home directory has its own place in temp: another home
// has other conversations.
func Place(runtime, temp, home string) string {
	if info, err := os.Stat(runtime); filepath.IsAbs(runtime) && err == nil && info.IsDir() && ownedByUser(info) {
		return filepath.Join(runtime, "marvin")
	}
	sum := sha256.Sum256([]byte(filepath.Clean(home)))
	return filepath.Join(temp, "marvin-"+strconv.Itoa(os.Getuid())+"-"+hex.EncodeToString(sum[:4]))
}

// Dir makes the directory of the sockets if needed. A directory that others may enter, or that is
// not this user's, is refused.
func Dir(path string) (string, error) {
	if err := os.Mkdir(path, 0o700); err != nil && !os.IsExist(err) {
		return "", fmt.Errorf("make the directory of live conversations: %w; set XDG_RUNTIME_DIR to a directory of yours", err)
	}
	if err := Private(path); err != nil {
		return "", err
	}
	return path, nil
}

// Private says what is wrong with the rights of the directory.
func Private(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("look at the directory of live conversations: %w", err)
	}
	if !info.IsDir() || !ownedByUser(info) {
		return fmt.Errorf("%s is not a directory of yours; remove it, or set XDG_RUNTIME_DIR to a directory of yours", path)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("others may enter %s; run chmod 700 %s", path, path)
	}
	return nil
}

// socketSuffix ends the names of sockets.
const socketSuffix = ".sock"

// nameOf is the socket of a process.
func nameOf(process int) string { return strconv.Itoa(process) + socketSuffix }

// isSocket says whether a file of the directory is one.
func isSocket(entry fs.DirEntry) bool {
	return filepath.Ext(entry.Name()) == socketSuffix && entry.Type()&fs.ModeSocket != 0
}
