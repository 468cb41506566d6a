package persistence

import (
	"time"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/yamltext"
)

// Home and the other types are those of package store, which packages outside persistence cannot
// import.
type (
	Home         = store.Home
	Profile      = store.Profile
	DamagedError = store.DamagedError
)

// ErrNoHome says that there is no home directory to store files in.
var ErrNoHome = store.ErrNoHome

// Open returns the [Home] of the user with the given home directory. It does not touch the disk.
func Open(home string, now func() time.Time) *Home { return store.Open(home, now) }

// OnlyDamage reports whether the change succeeded and err says only that the file was damaged.
func OnlyDamage(err error) bool { return store.OnlyDamage(err) }

// Overwrite replaces a file's content with content of the same length. If appended is true, it
// overwrites the file in place, because other Marvin processes append to the file. If the old
// content is no longer there, nothing is written and done is false.
func Overwrite(h *Home, path string, before, after []byte, appended bool) (done bool, err error) {
	return store.Overwrite(h, path, before, after, appended)
}

// ReadText reads one of Marvin's own text files. A missing file is empty.
func ReadText(path string) (string, error) { return store.ReadText(path) }

// ChangeText changes one of Marvin's own text files in one step under its lock. If change returns
// "", the file is removed.
func ChangeText(h *Home, path string, change func(text string) (string, error)) error {
	return store.ChangeText(h, path, change)
}

// ReplaceText replaces one of Marvin's own text files in one step. If text is empty, the file
// is removed.
func ReplaceText(path, text string) error { return store.ReplaceText(path, text) }

// Hold tries to take the lock at path and does not wait. If another process has the lock, held is
// false. The lock lasts until the caller releases it or the process ends.
func Hold(h *Home, path string) (release func() error, held bool, err error) {
	return store.Hold(h, path)
}

// YAMLMistake returns the line number and the description of the first mistake in a YAML text. If
// there is no mistake, the line number is 0.
func YAMLMistake(content []byte) (line int, text string) { return yamltext.Mistake(content) }
