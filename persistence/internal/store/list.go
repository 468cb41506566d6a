package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tidwall/sjson"
)

// List is a file that contains a JSON array of objects. Changing one entry preserves the bytes of
// the others.
type List struct {
	Home *Home
	Path string                     // "" if there is no home
	Note func(before, after []byte) // called with each change; may be nil
}

// Load reads the entries. A missing file has no entries.
func (l List) Load() ([]json.RawMessage, error) {
	data, err := ReadWhole(l.Path, DocumentLimit)
	if err != nil {
		return nil, err
	}
	entries, err := DecodeList(data)
	if err != nil {
		return nil, &DamagedError{Path: l.Path, Err: err}
	}
	return entries, nil
}

// LoadAs decodes each entry into a T. If an entry is invalid, LoadAs returns the other entries and
// an error.
func LoadAs[T any](l List) (all []T, err error) {
	entries, err := l.Load()
	for i, entry := range entries {
		var one T
		if wrong := json.Unmarshal(entry, &one); wrong != nil {
			err = fmt.Errorf("%s: entry %d is ignored: %w", l.Path, i+1, wrong)
			continue
		}
		all = append(all, one)
	}
	return all, err
}

// Update passes the entries to a callback and writes the result; see [Home.Rewrite].
func (l List) Update(change func([]json.RawMessage) ([]json.RawMessage, error)) error {
	return l.Home.Rewrite(l.Path, func(data []byte) (changed []byte, unreadable, err error) {
		entries, unreadable := DecodeList(data)
		if entries, err = change(entries); err != nil {
			return nil, nil, err
		}
		changed, err = EncodeList(entries)
		if err == nil && unreadable == nil && l.Note != nil {
			l.Note(data, changed)
		}
		return changed, unreadable, err
	})
}

func DecodeList(data []byte) ([]json.RawMessage, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, err
	}
	return entries, nil
}

// EncodeList writes the entries in the format that every version of Marvin uses; see [Encode].
func EncodeList(entries []json.RawMessage) ([]byte, error) {
	joined := append([]byte{'['}, bytes.Join(asBytes(entries), []byte{','})...)
	var indented bytes.Buffer
	err := json.Indent(&indented, append(joined, ']'), "", "  ")
	return indented.Bytes(), err
}

func asBytes(entries []json.RawMessage) [][]byte {
	list := make([][]byte, len(entries))
	for i, entry := range entries {
		list[i] = entry
	}
	return list
}

// WithKey sets a key of a JSON object, or removes the key if value is "". Apart from white space,
// the rest of the object is unchanged. The key must be a plain word.
func WithKey(object json.RawMessage, key string, value any) (json.RawMessage, error) {
	var compact bytes.Buffer // sjson keeps the white space of its input
	if err := json.Compact(&compact, object); err != nil {
		return nil, err
	}
	var changed []byte
	var err error
	if value == "" {
		changed, err = sjson.DeleteBytes(compact.Bytes(), key)
	} else {
		var encoded []byte
		if encoded, err = EncodeValue(value); err == nil {
			changed, err = sjson.SetRawBytes(compact.Bytes(), key, encoded)
		}
	}
	if err == nil && !json.Valid(changed) {
		err = errors.New("the result would not be JSON")
	}
	if err != nil {
		return nil, fmt.Errorf("change %q: %w", key, err)
	}
	return changed, nil
}
