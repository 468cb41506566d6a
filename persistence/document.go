package persistence

import (
	"bytes"
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

// document is a JSON object on disk, read into the struct T. Keys that T does not
// name are carried through a change.
type document[T any] struct {
	home     *Home
	path     string // "" if there is no home
	survives durability
}

// DamagedError reports a file that could not be understood. Nothing of it is lost:
// it is at Kept, or still in its place if Kept is empty. [Lifetime.Add] and
// [ChatLog.Append] return it although they did what was asked, after they
// began a new file.
type DamagedError struct {
	Path string
	Kept string
	Err  error
}

func (e *DamagedError) Error() string {
	if e.Kept == "" {
		return fmt.Sprintf("%s is damaged: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s was damaged (%v); it is kept as %s and a new one was begun", e.Path, e.Err, e.Kept)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// OnlyDamage reports whether err says no more than that a damaged file was set aside
// before what was asked was done.
func OnlyDamage(err error) bool {
	damaged := (*DamagedError)(nil)
	return errors.As(err, &damaged) && damaged.Kept != ""
}

// load reads the document; a missing one is the zero value.
func (d document[T]) load() (T, error) {
	var value T
	data, err := readWhole(d.path, documentLimit)
	if err != nil {
		return value, err
	}
	value, _, err = decode[T](data)
	if err != nil {
		return value, &DamagedError{Path: d.path, Err: err}
	}
	return value, nil
}

// update changes the document, whose lock the caller has: re-read, change, replace. If
// change fails nothing is written. What path leads to comes from [Home.lockFile].
func (d document[T]) update(path string, change func(*T) error) error {
	data, err := readWhole(path, documentLimit)
	if err != nil {
		return err // unreadable is not empty: what is there stays
	}
	value, others, unreadable := decode[T](data)
	if err := change(&value); err != nil {
		return err
	}
	encoded, err := encode(value, others)
	if err != nil {
		return err
	}
	var damage error
	if unreadable != nil {
		if damage, err = d.home.setAside(path, unreadable); err != nil {
			return err
		}
	}
	return errors.Join(damage, replace(path, encoded, d.survives))
}

// lockFile makes the file's directory if need be and locks the file that path
// leads to, waiting at most as long as told.
func (h *Home) lockFile(path string, wait time.Duration) (resolved string, unlock func() error, err error) {
	if path == "" {
		return "", nil, ErrNoHome
	}
	if resolved, err = resolve(path); err != nil {
		return "", nil, err
	}
	if err = makeDir(filepath.Dir(resolved)); err != nil {
		return "", nil, err
	}
	unlock, err = h.lock(resolved, wait)
	return resolved, unlock, err
}

// setAside moves a damaged file out of the way. The first result is the report of it.
func (h *Home) setAside(path string, why error) (damage error, err error) {
	kept := h.freeName(path)
	if err := os.Rename(path, kept); err != nil {
		return nil, fmt.Errorf("set the damaged file aside: %w", err)
	}
	return &DamagedError{Path: path, Kept: kept, Err: why}, nil
}

// freeName is a name for the damaged content of path that is not taken.
func (h *Home) freeName(path string) string {
	kept := fmt.Sprintf("%s.damaged-%s", path, h.Now().Format("20060102-150405"))
	for {
		if _, err := os.Lstat(kept); err != nil {
			return kept
		}
		kept += "+"
	}
}

// decode reads JSON into a T; the second result holds the keys that T lacks.
func decode[T any](data []byte) (T, map[string]json.RawMessage, error) {
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

// fieldNames are the JSON keys that a struct names.
func fieldNames(structure reflect.Type) []string {
	var names []string
	for _, field := range reflect.VisibleFields(structure) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// encode writes value and, behind it, the carried keys, as every Marvin does:
// indented by two spaces, UTF-8 unescaped, no line break at the end.
func encode[T any](value T, others map[string]json.RawMessage) ([]byte, error) {
	object, err := encodeValue(value)
	if err != nil {
		return nil, err
	}
	object = bytes.TrimSuffix(object, []byte("}"))
	for _, name := range slices.Sorted(maps.Keys(others)) {
		key, err := encodeValue(name)
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

func encodeValue(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
