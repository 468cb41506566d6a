package store

import (
	"errors"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// ReadText reads one of Marvin's own text files. A missing file is empty.
func ReadText(path string) (string, error) {
	text, err := readRaw(path)
	if err != nil || utf8.ValidString(text) { // validating is much faster than repairing
		return text, err
	}
	return strings.ToValidUTF8(text, "�"), nil
}

func readRaw(path string) (string, error) {
	var whole strings.Builder
	if _, err := readInto(&whole, path, DocumentLimit); err != nil {
		return "", err
	}
	return whole.String(), nil
}

// ChangeText locks one of Marvin's text files and atomically replaces the text with the result of
// the given function. If the result is empty, the file is removed. If the function fails, the file
// is unchanged.
func ChangeText(h *Home, path string, change func(text string) (string, error)) error {
	return h.WithLock(path, func(resolved string) error {
		before, err := readRaw(resolved)
		switch {
		case err != nil:
			return err // the content of an unreadable file must not be lost
		case !utf8.ValidString(before) || strings.Contains(before, "\x00"):
			return &DamagedError{resolved, errors.New("it is not text in UTF-8, so it was not changed; convert it with iconv, or move it away")}
		}
		after, err := change(before)
		switch {
		case err != nil || after == before:
			return err
		case after == "":
			return RemoveIfThere(resolved)
		}
		return Replace(resolved, []byte(after), Lasting)
	})
}

// ReplaceText writes a whole file, or removes it if text is empty. The caller must hold a lock,
// because ReplaceText creates no lock files in other programs' directories.
func ReplaceText(path, text string) error {
	resolved, err := Resolve(path)
	if err != nil {
		return err
	}
	if text == "" {
		return RemoveIfThere(resolved)
	}
	if err := MakeDir(filepath.Dir(resolved)); err != nil {
		return err
	}
	return Replace(resolved, []byte(text), Lasting)
}

// Hold tries once to lock the file at path. The lock lasts until the caller releases it or the
// process ends. If another process has the lock, the second result is false.
func Hold(h *Home, path string) (release func() error, held bool, err error) {
	_, release, err = h.LockFile(path, 0)
	if errors.Is(err, ErrLocked) {
		return nil, false, nil
	}
	return release, err == nil, err
}
