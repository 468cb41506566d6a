package persistence

import (
	"time"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/yamltext"
)

// Home, Profile and DamagedError are types of the internal package store.
type (
	Home         = store.Home
	Profile      = store.Profile
	DamagedError = store.DamagedError
)

// ErrNoHome means that there is no home directory to store files in.
var ErrNoHome = store.ErrNoHome

// Open returns the [Home] for the given home directory. It does not touch the disk.
func Open(home string, now func() time.Time) *Home { return store.Open(home, now) }

// OnlyDamage reports whether err records only the replacement of damaged files. A change that
// returns such an error succeeded.
func OnlyDamage(err error) bool { return store.OnlyDamage(err) }

// Overwrite replaces a file's content with content of the same length. If appended is true, it
// overwrites the file in place, because other Marvin processes append to the file. If the old
// content is no longer there, nothing is written and done is false.
func Overwrite(h *Home, path string, before, after []byte, appended bool) (done bool, err error) {
	return store.Overwrite(h, path, before, after, appended)
}

// ReadText reads one of Marvin's own text files. If the file does not exist, ReadText returns "".
func ReadText(path string) (string, error) { return store.ReadText(path) }

// ChangeText locks one of Marvin's own text files and replaces the content atomically. If the
// callback returns "", ChangeText removes the file.
func ChangeText(h *Home, path string, change func(text string) (string, error)) error {
	return store.ChangeText(h, path, change)
}

// ReplaceText atomically replaces one of Marvin's own text files, or removes the file if text is
// empty. The caller must hold a lock.
func ReplaceText(path, text string) error { return store.ReplaceText(path, text) }

// Hold tries to take the lock at path and does not wait. If another process has the lock, held is
// false. The lock lasts until the caller releases it or the process ends.
func Hold(h *Home, path string) (release func() error, held bool, err error) {
	return store.Hold(h, path)
}

// YAMLMistake returns the line number and the description of the first mistake in a YAML text. If
// there is no mistake, the line number is 0.
func YAMLMistake(content []byte) (line int, text string) { return yamltext.Mistake(content) }
