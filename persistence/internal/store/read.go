package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gofrs/flock"

	"marvin/persistence/plaintext"
)

// DocumentLimit bounds a document that is read whole: a usage.json of 16 MB is a
// mistake, and reading it would make every start slow.
const DocumentLimit = 16 << 20

// MaxNumber is the largest number of an entry or file that is believed: the next one is one more.
const MaxNumber = 1 << 48

// opener opens a file by name: os.OpenFile, or the same of an os.Root.
type opener func(name string, flag int, perm fs.FileMode) (*os.File, error)

// OpenRegular opens an existing regular file for reading. A missing one is nil
// without an error. A pipe must not hold up the start, so it is never waited for.
func OpenRegular(open opener, path string) (*os.File, int64, error) {
	if path == "" {
		return nil, 0, nil
	}
	file, err := open(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file (%s)", path, info.Mode().Type())
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// Vanished is an error if a file of the user's is not there although something says that it
// should be: the file, or a directory above it below the home directory, is a symbolic link
// to nothing, or no directory. It is for what restricts Marvin, where none means no limit.
func (h *Home) Vanished(path string) error {
	for at := path; path != "" && at != h.User && at != filepath.Dir(at); at = filepath.Dir(at) {
		info, err := os.Lstat(at)
		if err != nil {
			continue
		}
		if info.Mode()&os.ModeSymlink != 0 {
			if _, err := os.Stat(at); err != nil {
				target, _ := os.Readlink(at)
				return fmt.Errorf("%s is a symbolic link to %s, which does not exist", at, target)
			}
			return nil
		}
		if at != path && !info.IsDir() {
			return fmt.Errorf("%s is not a directory (%s)", at, info.Mode().Type())
		}
		return nil
	}
	return nil
}

// OpenFile opens a regular file as flags say. Anything else that has its name, such as a pipe or
// a device, is an error: to open it could take for ever.
func OpenFile(path string, flags int, perm fs.FileMode) (*os.File, error) {
	file, err := os.OpenFile(path, flags|syscall.O_NONBLOCK, perm)
	if errors.Is(err, syscall.ENXIO) { // a pipe without a reader
		return nil, fmt.Errorf("%s is not a regular file: %w", path, err)
	}
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file (%s)", path, info.Mode().Type())
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// NewLock is a lock on a file, which is made where it is missing. A pipe that has its name is
// not waited for.
func NewLock(path string) *flock.Flock {
	return flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDONLY|syscall.O_NONBLOCK), flock.SetPermissions(0o600))
}

// ReadWhole reads a file of at most limit bytes; a missing one is nil.
func ReadWhole(path string, limit int64) ([]byte, error) {
	var whole bytes.Buffer
	if found, err := readInto(&whole, path, limit); !found {
		return nil, err
	}
	return whole.Bytes(), nil
}

// ReadWritten is ReadWhole for a file that the user writes with an editor: it decodes UTF-16, and
// drops a byte order mark.
func ReadWritten(path string, limit int64) ([]byte, error) {
	data, err := ReadWhole(path, limit)
	return plaintext.Decode(data), err
}

// readInto reads a file of at most limit bytes, without copies.
func readInto(whole interface {
	io.Writer
	Grow(n int)
}, path string, limit int64,
) (found bool, err error) {
	file, size, err := OpenRegular(os.OpenFile, path)
	if file == nil {
		return false, err
	}
	defer file.Close()
	if size > limit {
		return false, fmt.Errorf("%s has %d bytes, more than the limit of %d; move it away if it is not yours", path, size, limit)
	}
	whole.Grow(int(size) + bytes.MinRead)
	count, err := io.Copy(whole, io.LimitReader(file, limit+1))
	if err == nil && count > limit {
		return false, fmt.Errorf("%s grew beyond the limit of %d bytes", path, limit) // a part of it says something else
	}
	return err == nil, err
}

// ReadUpTo reads a text for the prompt. What is beyond limit is left out, and the
// text says so.
func ReadUpTo(open opener, path string, limit int64) (string, error) {
	file, size, err := OpenRegular(open, path)
	if file == nil {
		return "", err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit))
	if err != nil {
		return "", err
	}
	text := strings.ToValidUTF8(string(plaintext.Decode(data)), "�")
	if size > limit {
		text = fmt.Sprintf("%s\n[… cut after %d of %d bytes …]\n", strings.TrimSuffix(text, "�"), limit, size)
	}
	return text, nil
}

// PromptLimit bounds each text that goes into the prompt as it is.
const PromptLimit = 256 << 10
