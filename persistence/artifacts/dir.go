package artifacts

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"marvin/persistence/internal/store"
)

// extension returns the file name extension for a media type.
func extension(media string) string {
	switch media {
	case "":
		return ".txt"
	case "image/png", "image/gif", "image/webp", "application/pdf", "application/zip":
		return "." + media[strings.IndexByte(media, '/')+1:]
	case "image/jpeg":
		return ".jpg"
	case "audio/mpeg":
		return ".mp3"
	case "audio/wav", "audio/wave", "audio/x-wav":
		return ".wav"
	}
	return ".bin"
}

// settle creates the directory. If the conversation is not stored, settle also removes the
// directories of dead processes, and locks a file to show that this process is alive.
func (a *Store) settle() error {
	if a.dir != "" {
		return store.MakeDir(a.dir)
	}
	parent := os.TempDir()
	if a.home.Data != "" {
		parent = filepath.Join(a.home.Data, "artifacts")
		if err := store.MakeDir(parent); err != nil {
			return err
		}
	}
	sweepArtifacts(parent)
	dir, err := os.MkdirTemp(parent, unkeptArtifacts)
	if err != nil {
		return err
	}
	lock := store.NewLock(dir + ".lock")
	if locked, err := lock.TryLock(); err != nil || !locked {
		return errors.Join(fmt.Errorf("lock %s: %w", dir, cmp.Or(err, store.ErrLocked)), os.Remove(dir))
	}
	a.dir, a.lock = dir, lock
	return nil
}

// unkeptArtifacts is the name prefix of temporary artifact directories.
const unkeptArtifacts = "marvin-run-"

// sweepArtifacts removes the directories whose locks no process holds.
func sweepArtifacts(parent string) {
	locks, _ := filepath.Glob(filepath.Join(parent, unkeptArtifacts+"*.lock"))
	for _, path := range locks {
		lock := store.NewLock(path)
		if locked, err := lock.TryLock(); err != nil || !locked {
			continue
		}
		_ = os.RemoveAll(strings.TrimSuffix(path, ".lock")) // this fails for other users' directories
		_ = os.Remove(path)
		_ = lock.Close()
	}
}
