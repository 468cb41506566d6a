package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Document is a JSON file whose content is decoded into the struct T. A change preserves the keys
// that have no field in T.
type Document[T any] struct {
	Home     *Home
	Path     string // "" if there is no home
	Survives durability
	Most     int64 // maximum size in bytes; 0 means DocumentLimit
}

func (d Document[T]) limit() int64 { return cmp.Or(d.Most, DocumentLimit) }

// DamagedError reports a file that could not be parsed. The file is unchanged, and nothing was
// written.
type DamagedError struct {
	Path string
	Err  error
}

func (e *DamagedError) Error() string { return fmt.Sprintf("%s is damaged: %v", e.Path, e.Err) }

func (e *DamagedError) Unwrap() error { return e.Err }

// RenewedError reports that a change succeeded, but that the file had been damaged.
type RenewedError struct {
	Path string
	Kept string // the path of the damaged content
	Err  error
}

func (e *RenewedError) Error() string {
	return fmt.Sprintf("%s was damaged (%v), so Marvin renamed it to %s and started a new one", e.Path, e.Err, e.Kept)
}

func (e *RenewedError) Unwrap() error { return e.Err }

// OnlyDamage reports whether err consists only of [RenewedError] values, which report successful
// changes.
func OnlyDamage(err error) bool {
	if _, renewed := err.(*RenewedError); renewed { //nolint:errorlint // the code below checks each part of a joined error
		return true
	}
	if joined, is := err.(interface{ Unwrap() []error }); is {
		parts := joined.Unwrap()
		return len(parts) > 0 && !slices.ContainsFunc(parts, func(part error) bool { return !OnlyDamage(part) })
	}
	inner := errors.Unwrap(err)
	return inner != nil && OnlyDamage(inner)
}

// Load returns the zero value if the file is missing.
func (d Document[T]) Load() (T, error) {
	var value T
	data, err := ReadWhole(d.Path, d.limit())
	if err != nil {
		return value, err
	}
	value, _, err = Decode[T](data)
	if err != nil {
		return value, &DamagedError{Path: d.Path, Err: err}
	}
	return value, nil
}

// Update reads the document, changes it with the given function, and writes it. If the function
// returns an error, nothing is written. The caller must hold the lock and pass the resolved path
// from [Home.LockFile].
func (d Document[T]) Update(path string, change func(*T) error) error {
	data, err := ReadWhole(path, d.limit())
	if err != nil {
		return err // the content of an unreadable file must not be lost
	}
	value, others, unreadable := Decode[T](data)
	if err := change(&value); err != nil {
		return err
	}
	encoded, err := Encode(value, others)
	if err != nil {
		return err
	}
	if unreadable != nil {
		return d.Home.Renew(path, unreadable, encoded, d.Survives)
	}
	return Replace(path, encoded, d.Survives)
}

// ErrUnchanged tells [Document.Change] that there is nothing to write.
var ErrUnchanged = errors.New("unchanged")

// Change locks the document and calls [Document.Update]. If the callback returns [ErrUnchanged],
// Change writes nothing and returns nil.
func (d Document[T]) Change(change func(*T) error) error {
	return d.Home.WithLock(d.Path, func(path string) error {
		err := d.Update(path, change)
		if errors.Is(err, ErrUnchanged) {
			return nil
		}
		return err
	})
}

// WithLock locks a file, passes the file's resolved path to a callback, and then unlocks the file.
func (h *Home) WithLock(path string, use func(resolved string) error) (err error) {
	resolved, unlock, err := h.LockFile(path, LockWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return use(resolved)
}

// LockFile resolves the path of a file, creates the directory if necessary, and calls [Home.Lock].
func (h *Home) LockFile(path string, timeout time.Duration) (resolved string, unlock func() error, err error) {
	if path == "" {
		return "", nil, ErrNoHome
	}
	if resolved, err = Resolve(path); err != nil {
		return "", nil, err
	}
	if err = MakeDir(filepath.Dir(resolved)); err != nil {
		return "", nil, err
	}
	unlock, err = h.Lock(resolved, timeout)
	return resolved, unlock, err
}

// Renew renames a damaged file within its directory, and writes data to path. On success, Renew
// returns a [RenewedError].
func (h *Home) Renew(path string, why error, data []byte, survives durability) error {
	kept := h.FreeName(path)
	if err := replaceKeeping(path, kept, data, survives); err != nil {
		return fmt.Errorf("%s is damaged (%s), and Marvin could not start a new one: %w", path, why.Error(), err)
	}
	return &RenewedError{Path: path, Kept: kept, Err: why}
}

// FreeName returns an unused path for the damaged content of a file.
func (h *Home) FreeName(path string) string {
	kept := fmt.Sprintf("%s.damaged-%s", path, h.Now().Format("20060102-150405"))
	for {
		if _, err := os.Lstat(kept); err != nil {
			return kept
		}
		kept += "+"
	}
}

// Decode decodes JSON into a T. It also returns the keys that T lacks.
func Decode[T any](data []byte) (T, map[string]json.RawMessage, error) {
	var value, zero T
	var others map[string]json.RawMessage
	if len(bytes.TrimSpace(data)) == 0 {
		return zero, nil, nil
	}
	if err := json.Unmarshal(data, &others); err != nil {
		return zero, nil, err
	}
	if err := json.Unmarshal(data, &value); err != nil {
		return zero, nil, err
	}
	for _, name := range fieldNames(reflect.TypeFor[T]()) {
		delete(others, name)
	}
	return value, others, nil
}

func fieldNames(structure reflect.Type) []string {
	var names []string
	for _, field := range reflect.VisibleFields(structure) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// Encode encodes a value, followed by the keys that T lacks. Every version of Marvin uses this
// format: two spaces of indentation, unescaped UTF-8 and no newline at the end.
func Encode[T any](value T, others map[string]json.RawMessage) ([]byte, error) {
	object, err := EncodeValue(value)
	if err != nil {
		return nil, err
	}
	object = bytes.TrimSuffix(object, []byte("}"))
	for _, name := range slices.Sorted(maps.Keys(others)) {
		key, err := EncodeValue(name)
		if err != nil {
			return nil, err
		}
		if len(object) > 1 {
			object = append(object, ',')
		}
		object = append(append(append(object, key...), ':'), others[name]...)
	}
	var indented bytes.Buffer
	err = json.Indent(&indented, append(object, '}'), "", "  ")
	return indented.Bytes(), err
}

func EncodeValue(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
