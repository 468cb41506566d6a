package sessions

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/tidwall/gjson"

	"marvin/persistence/internal/store"
)

// Marvin reads a session backwards and stops where the model's context begins. Compaction limits
// the context, so even a conversation of 200 MB can continue without delay.

const readChunk = 256 << 10

// eachLineBackwards calls visit for each line, from the last to the first, until visit returns
// false or an error. The line has no line break and is valid only during the call.
func eachLineBackwards(file io.ReaderAt, size int64, visit func(line []byte) (more bool, err error)) error {
	var rest []byte // the tail of a line whose beginning has not been read yet
	rooms := readRooms.Get().(*readRoom)
	defer rooms.release()
	room, last, ends := rooms.room, rooms.last, rooms.ends
	defer func() { rooms.room, rooms.last, rooms.ends = room, last, ends }()
	for at := size; at > 0; {
		// Read at least len(rest) bytes, so that a long line needs few reads.
		length := min(at, int64(max(readChunk, len(rest))))
		at -= length
		room = slices.Grow(room[:0], int(length)+len(rest))[:length]
		if _, err := file.ReadAt(room, at); err != nil {
			return err
		}
		ends = lineEnds(ends[:0], room)
		room = append(room, rest...)
		end := len(room)
		for _, cut := range slices.Backward(ends) {
			more, err := visit(room[cut+1 : end])
			if err != nil || !more {
				return err
			}
			end = cut
		}
		rest = room[:end]
		room, last = last, room
	}
	_, err := visit(rest)
	return err
}

// readRooms holds buffers for reuse, because a search reads thousands of sessions.
var readRooms = sync.Pool{New: func() any { return new(readRoom) }}

type readRoom struct {
	room, last []byte // buffers for the next read and for the tail of a line
	ends       []int
}

// release returns small buffers to the pool and discards large ones.
func (r *readRoom) release() {
	if cap(r.room)+cap(r.last) <= 8*readChunk {
		readRooms.Put(r)
	}
}

// lineEnds appends the position of each line break in text to the given slice, in ascending order.
// A backward search, byte by byte, accounted for a third of the time to list the sessions.
func lineEnds(ends []int, text []byte) []int {
	for at := 0; ; {
		next := bytes.IndexByte(text[at:], '\n')
		if next < 0 {
			return ends
		}
		at += next + 1
		ends = append(ends, at-1)
	}
}

func lastEntry(file *os.File) (last Entry, err error) {
	err = entriesBackwards(file, func(id, _ int64, line []byte) (bool, error) {
		entry, ok := decodeEntry(line)
		if ok {
			last = entry
		}
		return !ok, nil
	})
	return last, err
}

// entriesBackwards calls visit for each line that looks like an entry, from the last to the first,
// until visit returns false.
func entriesBackwards(file *os.File, visit func(id, parent int64, line []byte) (more bool, err error)) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return eachLineBackwards(file, info.Size(), func(line []byte) (bool, error) {
		id := gjson.GetBytes(line, "id")
		if id.Type != gjson.Number || id.Int() <= 0 || id.Int() > store.MaxNumber {
			return true, nil
		}
		return visit(id.Int(), parentOf(line), line)
	})
}

// parentOf returns the ID of an entry's parent, or 0 if there is none. It searches only the start
// of the line, where the parent follows the id.
func parentOf(line []byte) int64 {
	const mark = `,"parent":`
	at := bytes.Index(line[:min(len(line), 64)], []byte(mark))
	if at < 0 {
		return 0
	}
	return gjson.ParseBytes(line[at+len(mark):]).Int()
}

// Branch returns the entries of the branch that ends at leaf, oldest first. If leaf is 0, it
// returns the current branch. If stop is not nil, the result begins with the newest entry for which
// stop returns true. If an entry of the branch is unreadable, the result begins after that entry.
func (s Store) Branch(id string, leaf int64, stop func(Entry) bool) (Header, []Entry, error) {
	path, err := s.path(id)
	if err != nil {
		return Header{}, nil, err
	}
	file, _, err := store.OpenRegular(os.OpenFile, path)
	if err != nil {
		return Header{}, nil, fmt.Errorf("read the conversation: %w", err)
	}
	if file == nil {
		return Header{}, nil, fmt.Errorf("%w: %q", ErrNoSession, id)
	}
	defer file.Close()
	header, err := readHeader(file)
	if err != nil {
		return header, nil, fmt.Errorf("%s: %w", path, err)
	}
	branch, err := branch(file, leaf, stop)
	return header, branch, err
}

var errNoEntry = errors.New("this conversation has no such step")

func branch(file *os.File, leaf int64, stop func(Entry) bool) (entries []Entry, err error) {
	wanted := leaf
	err = entriesBackwards(file, func(id, _ int64, line []byte) (bool, error) {
		if wanted != 0 && id != wanted {
			return true, nil
		}
		entry, ok := decodeEntry(line)
		if !ok {
			return true, nil // the entries before an unreadable entry are lost; [Store.Check] reports unreadable entries
		}
		if wanted = entry.Parent; entry.Kind != LeafEntry {
			entries = append(entries, entry)
			if stop != nil && stop(entry) {
				return false, nil
			}
		}
		return wanted != 0, nil
	})
	if err == nil && len(entries) == 0 && leaf != 0 {
		err = errNoEntry
	}
	slices.Reverse(entries)
	return entries, err
}
