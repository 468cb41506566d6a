package persistence

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// resolve follows symbolic links to the file that they name, which need not exist
// yet: people keep such files in a repository of their own, and a rename over the
// link would cut that tie.
func resolve(path string) (string, error) {
	for range 40 {
		link, err := os.Readlink(path)
		if err != nil {
			return path, nil // not a link, or not there; opening it will tell
		}
		if !filepath.IsAbs(link) {
			// Not cleaned: the directory may itself be a link, and .. is then another place.
			link = filepath.Dir(path) + string(filepath.Separator) + link
		}
		path = link
	}
	return "", fmt.Errorf("%s: too many symbolic links", path)
}

// beside is a hidden name next to path.
func beside(path, suffix string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+suffix)
}

// replace puts data in the place of path, which is resolved and locked by the
// caller: whoever reads sees the old content or the new one, also after a crash.
// With sync it also survives a power cut.
func replace(path string, data []byte, sync bool) error {
	// One fixed name, as only the owner of the lock writes: what a killed process
	// left behind is taken away here instead of piling up.
	temporary := beside(path, ".tmp")
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := writeNew(temporary, data, sync); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w; what was there before is unchanged", path, err), removeIfThere(temporary))
	}
	if err := os.Rename(temporary, path); err != nil {
		return errors.Join(err, removeIfThere(temporary))
	}
	if sync {
		return syncDir(filepath.Dir(path))
	}
	return nil
}

func writeNew(path string, data []byte, sync bool) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Chmod(0o600) // the umask may have taken away our own bits
	}
	if err == nil && sync {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
