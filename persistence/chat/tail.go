package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"marvin/persistence/internal/store"
)

const (
	tailWindow = 256 << 10 // enough for a few hundred entries
	tailLimit  = 16 << 20  // maximum window size, in bytes
)

// Tail returns the last n entries of the log, oldest first. It reads only the end of a long log. If
// a part is unreadable, Tail returns the readable entries and a [store.DamagedError].
func (c Log) Tail(n int) ([]Entry, error) {
	n = max(n, 0)
	path := c.profile.Path("chat_log.json")
	file, size, err := store.OpenRegular(os.OpenFile, path)
	if file == nil {
		return nil, err
	}
	defer file.Close()
	if size > rewriteLimit {
		c.endAppend()
		info, err := file.Stat()
		if err != nil {
			return nil, err
		}
		size = info.Size()
	}
	for window := int64(tailWindow); ; window *= 4 {
		window = min(window, size)
		data := make([]byte, window)
		if _, err := file.ReadAt(data, size-window); err != nil {
			return nil, fmt.Errorf("read the end of %s: %w", path, err)
		}
		entries, damage := chatEntries(data, window == size)
		if len(entries) >= n || window == size || window >= tailLimit {
			if damage != nil {
				damage = &store.DamagedError{Path: path, Err: damage}
			}
			return entries[max(0, len(entries)-n):], damage
		}
	}
}

// chatEntries parses the whole log or only its end. From a damaged log, chatEntries
// returns the readable entries and an error.
func chatEntries(data []byte, whole bool) ([]Entry, error) {
	text := bytes.TrimSpace(data)
	if whole {
		if len(text) == 0 {
			return nil, nil
		}
		var entries []Entry
		err := json.Unmarshal(text, &entries)
		if err == nil {
			return entries, nil
		}
		return salvage(data), err
	}
	entries := salvage(data)
	if !bytes.HasSuffix(text, []byte("]")) {
		return entries, errors.New("its end is missing")
	}
	if len(entries) == 0 {
		return nil, errors.New("no entry was found near the end of the log")
	}
	return entries, nil
}

// salvage returns the valid entries that start with "  {" on a new line, as all versions of Marvin
// write them. No line inside an entry starts with this text, because JSON escapes line breaks in
// strings.
func salvage(data []byte) []Entry {
	start := []byte("\n  {")
	var entries []Entry
	for {
		at := bytes.Index(data, start)
		if at < 0 {
			return entries
		}
		data = data[at+len(start)-1:]
		decoder := json.NewDecoder(bytes.NewReader(data))
		var entry Entry
		if decoder.Decode(&entry) != nil || entry.Role == "" {
			continue
		}
		entries = append(entries, entry)
		data = data[decoder.InputOffset():]
	}
}
