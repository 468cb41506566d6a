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

// DocumentLimit is the maximum size of a document, in bytes. A usage.json of 16 MB is a mistake,
// and reading it would slow every start.
const DocumentLimit = 16 << 20

// MaxNumber is the largest number that an entry or a file may have. Because of this limit, the next
// number cannot overflow.
const MaxNumber = 1 << 48

// opener is the signature of os.OpenFile and of its counterpart in os.Root.
type opener func(name string, flag int, perm fs.FileMode) (*os.File, error)

// OpenRegular opens a regular file for reading and returns its size. If the file does not exist,
// both the file and the error are nil. For a pipe, OpenRegular returns an error at once, because
// waiting would delay Marvin's start.
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
	return regular(file, path)
}

// regular verifies that a file is regular, and returns the file and its size. If verification
// fails, the file is closed.
func regular(file *os.File, path string) (*os.File, int64, error) {
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file (%s)", path, info.Mode().Type())
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// Vanished returns an error if path leads through a broken symbolic link or a file that is not a
// directory. Without this check, Marvin would treat a configuration file as missing and ignore the
// user's restrictions.
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

// OpenFile is like [os.OpenFile], but rejects a file that is not regular. OpenFile never blocks on
// a pipe.
func OpenFile(path string, flags int, perm fs.FileMode) (*os.File, error) {
	file, err := os.OpenFile(path, flags|syscall.O_NONBLOCK, perm)
	if errors.Is(err, syscall.ENXIO) { // a pipe without a reader
		return nil, fmt.Errorf("%s is not a regular file: %w", path, err)
	}
	if err == nil {
		file, _, err = regular(file, path)
	}
	return file, err
}

// NewLock returns a lock for the file at path. The lock creates the file if necessary, and opens a
// pipe without waiting for a writer.
func NewLock(path string) *flock.Flock {
	return flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDONLY|syscall.O_NONBLOCK), flock.SetPermissions(0o600))
}

// ReadWhole reads a file. It returns nil if the file is missing, and an error if the file is larger
// than the given number of bytes.
func ReadWhole(path string, limit int64) ([]byte, error) {
	var whole bytes.Buffer
	if found, err := readInto(&whole, path, limit); !found {
		return nil, err
	}
	return whole.Bytes(), nil
}

// ReadWritten reads a file that the user writes with an editor. ReadWritten is like [ReadWhole],
// followed by [plaintext.Decode].
func ReadWritten(path string, limit int64) ([]byte, error) {
	data, err := ReadWhole(path, limit)
	return plaintext.Decode(data), err
}

// readInto reads a file into a buffer. It returns an error if the file is larger than the given
// number of bytes. It grows the buffer once, before it reads, because each later growth would copy
// the data.
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
		return false, fmt.Errorf("%s has %d bytes, more than the limit of %d; if Marvin did not create this file, move it to another directory", path, size, limit)
	}
	whole.Grow(int(size) + bytes.MinRead)
	count, err := io.Copy(whole, io.LimitReader(file, limit+1))
	if err == nil && count > limit {
		return false, fmt.Errorf("%s grew beyond the limit of %d bytes", path, limit) // a truncated file could have another meaning
	}
	return err == nil, err
}

// ReadUpTo returns at most the given number of bytes from the beginning of a file. If the file is
// larger, ReadUpTo appends a notice.
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

// PromptLimit is the maximum number of bytes that Marvin reads from a file for the prompt.
const PromptLimit = 256 << 10
