package store

import (
	"bytes"
	"errors"
	"os"
)

// Overwrite replaces a file's content with content of the same length. If the file no longer
// contains the old content, Overwrite writes nothing and returns false. If other Marvin processes
// append to the file, the caller must set appended to true. In such a file, Overwrite changes the
// lines in place, because a rename would lose appended lines. Any other file is replaced
// atomically.
func Overwrite(h *Home, path string, before, after []byte, appended bool) (done bool, err error) {
	resolved, unlock, err := path, func() error { return nil }, error(nil)
	if !appended {
		if resolved, unlock, err = h.LockFile(path, LockWait); err != nil {
			return false, err
		}
	}
	defer func() { err = errors.Join(err, unlock()) }()
	now, err := os.ReadFile(resolved)
	if err != nil || !bytes.HasPrefix(now, before) || !appended && len(now) != len(before) || len(before) != len(after) {
		return false, err
	}
	if !appended {
		return true, Replace(resolved, after, Lasting)
	}
	file, err := os.OpenFile(resolved, os.O_WRONLY, 0)
	if err != nil {
		return false, err
	}
	for at := 0; at < len(after) && err == nil; {
		end := at + bytes.IndexByte(after[at:], '\n') + 1
		if end == at {
			end = len(after)
		}
		if !bytes.Equal(before[at:end], after[at:end]) {
			_, err = file.WriteAt(after[at:end], int64(at))
		}
		at = end
	}
	return err == nil, errors.Join(err, file.Sync(), file.Close())
}
