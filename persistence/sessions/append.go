package sessions

import (
	"bytes"
	"errors"
	"fmt"

	"marvin/persistence/internal/store"
)

// Append adds the entries in one write. It sets [Entry.ID], and [Entry.At] if that is zero. It also
// sets [Entry.Parent] to the end of the current branch, except for a [LeafEntry]. If lasting is
// true, Append syncs the file. After a failed write, Append tries to remove the partial data.
func (s *Session) Append(lasting bool, entries ...Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return errors.New("the conversation could not be stored, because its file is closed")
	}
	last, leaf, info := s.last, s.leaf, s.info
	var text bytes.Buffer
	for i := range entries {
		entry := &entries[i]
		last++
		entry.ID = last
		if entry.Kind != LeafEntry {
			entry.Parent = leaf
		}
		if entry.At.IsZero() {
			entry.At = s.sessions.home.Now()
		}
		leaf = entry.branchEnd()
		info.add(*entry)
		line, err := store.EncodeValue(entry)
		if err != nil {
			return fmt.Errorf("keep the conversation: %w", err)
		}
		text.Write(line)
		text.WriteByte('\n')
	}
	kept, err := s.write(text.Bytes(), lasting)
	if kept {
		s.last, s.leaf, s.info = last, leaf, info
	}
	if err != nil {
		return fmt.Errorf("keep the conversation: %w", err)
	}
	return nil
}

// write appends lines to the file. If kept is true, the file contains all lines. After an error,
// such as a full disk, write tries to remove the partial data. If the removal fails, new entries
// can reuse IDs from the partial data.
func (s *Session) write(lines []byte, lasting bool) (kept bool, err error) {
	if s.torn {
		lines = append([]byte{'\n'}, lines...)
	}
	n, err := s.file.Write(lines)
	if err == nil && lasting {
		err = s.file.Sync()
	}
	if err != nil && n > 0 && s.takeBack(lines[:n]) != nil {
		s.torn = n < len(lines) // the next write, or Open, adds a line break
		return !s.torn, err
	}
	if err == nil {
		s.torn = false
	}
	return err == nil, err
}

// takeBack removes the given bytes from the end of the file. It returns an error if the file ends
// with different bytes.
func (s *Session) takeBack(written []byte) error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	size := info.Size() - int64(len(written))
	there := make([]byte, len(written))
	if _, err := s.file.ReadAt(there, size); err != nil {
		return err
	}
	if !bytes.Equal(there, written) {
		return errors.New("another process wrote to the file")
	}
	return s.file.Truncate(size)
}
