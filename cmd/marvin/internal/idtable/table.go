package idtable

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"sync"
)

// Value is the value of an id. The owner of the table defines its meaning.
type Value [2]uint64

// Table keeps a value for each id. The zero Table is an empty one that keeps its file in the
// directory for temporary files. It is safe for concurrent use.
//
// An id is known by 128 bits of its SHA-256: no two different ones are known to share them.
type Table struct {
	// Dir is where the file is once there are many ids; "" for the directory for temporary
	// files, which may be held in memory. Where none can be made the ids stay in memory.
	Dir string

	mu    sync.Mutex
	slots store
	size  uint64 // how many slots there are, a power of two
	used  uint64
	block [blockSlots * slotSize]byte // what was read last
}

// store is where slots are.
type store interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
}

const (
	slotSize   = 32 // 16 bytes of the digest, 16 of the value; all zero where there is nothing
	blockSlots = 16 // are read at once: mostly an id is among the first few
	firstSlots = 256
	growth     = 2 // a million ids have 64 MB
	// mostInMemory is how many slots are kept in memory: 512 KB.
	mostInMemory = 16 << 10
)

// Get is the value of an id, and whether there is one.
func (t *Table) Get(id string) (value Value, known bool, err error) {
	err = t.Update(id, func(is *Value, there bool) bool {
		value, known = *is, there
		return false
	})
	return value, known, err
}

// Put sets the value of an id.
func (t *Table) Put(id string, value Value) error {
	return t.Update(id, func(is *Value, _ bool) bool {
		*is = value
		return true
	})
}

// Update shows the value of an id to a function, which changes it and says whether the
// change is kept. Nobody else reads or changes the table meanwhile. An error is [ErrFile],
// as when the disk is full.
func (t *Table) Update(id string, change func(value *Value, known bool) (keep bool)) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.used >= t.size/4*3 {
		if err := t.grow(); err != nil {
			return err
		}
	}
	sum := sha256.Sum256([]byte(id))
	slot := slot(sum[:slotSize])
	clear(slot[16:])
	at, known, err := t.find(slot)
	if err != nil {
		return failed(err)
	}
	value := slot.value()
	if !change(&value, known) {
		return nil
	}
	slot.set(value)
	if _, err := t.slots.WriteAt(slot, at); err != nil {
		return failed(err)
	}
	if !known {
		t.used++
	}
	return nil
}

// Close frees the file. The table is then empty.
func (t *Table) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.slots != nil {
		_ = t.slots.Close() // nothing of it is wanted any more
	}
	t.slots, t.size, t.used = nil, 0, 0
}

// ErrFile is that the file of a table could not be read or written.
var ErrFile = errors.New("the file of the many ids")

func failed(err error) error {
	return fmt.Errorf("%w: %w; free space there, or choose another place with --output or TMPDIR", ErrFile, err)
}

// find is where the slot of an id is, or where it goes. One that is there is read with its value.
func (t *Table) find(wanted slot) (at int64, known bool, err error) {
	// Slots are in the order of their digests, so that those of a larger table are written
	// one behind the other.
	place := wanted.digest() >> (64 - bits.TrailingZeros64(t.size))
	for {
		count := min(blockSlots, t.size-place)
		block := t.block[:count*slotSize]
		if _, err := t.slots.ReadAt(block, int64(place)*slotSize); err != nil && !errors.Is(err, io.EOF) {
			return 0, false, err
		}
		for i := range count {
			there := slot(block[i*slotSize : (i+1)*slotSize])
			at := int64(place+i) * slotSize
			if there.empty() {
				return at, false, nil
			}
			if there.same(wanted) {
				copy(wanted, there)
				return at, true, nil
			}
		}
		place = (place + count) % t.size
	}
}

// grow moves everything to a larger table.
func (t *Table) grow() error {
	before, count := t.slots, t.size
	larger, err := t.make(max(firstSlots, count*growth))
	if err != nil {
		return failed(err)
	}
	t.slots, t.size = larger, max(firstSlots, count*growth)
	if before == nil {
		return nil
	}
	if err := t.fill(before, count); err != nil {
		t.slots, t.size = before, count
		return failed(errors.Join(err, larger.Close()))
	}
	_ = before.Close() // nothing of it is wanted any more
	return nil
}

// fill enters so many slots of the table before.
func (t *Table) fill(before store, count uint64) error {
	chunk := make([]byte, min(count, 1<<10)*slotSize)
	for from := int64(0); from < int64(count)*slotSize; from += int64(len(chunk)) {
		if _, err := before.ReadAt(chunk, from); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		for rest := chunk; len(rest) > 0; rest = rest[slotSize:] {
			moved := slot(rest[:slotSize])
			if moved.empty() {
				continue
			}
			at, _, err := t.find(moved)
			if err != nil {
				return err
			}
			if _, err := t.slots.WriteAt(moved, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// make is room for so many slots.
func (t *Table) make(count uint64) (store, error) {
	if count > mostInMemory {
		if file, err := os.CreateTemp(t.Dir, ".marvin-ids-*"); err == nil {
			// Without a name it goes with the process, however that ends. Windows allows that
			// only once it is closed.
			room := temporary{File: file, gone: os.Remove(file.Name()) == nil}
			if err := file.Truncate(int64(count) * slotSize); err != nil {
				return nil, errors.Join(err, room.Close())
			}
			isReadAnywhere(file)
			return room, nil
		}
	}
	return memory(make([]byte, count*slotSize)), nil
}

// slot is one id with its value.
type slot []byte

func (s slot) digest() uint64       { return binary.BigEndian.Uint64(s) }
func (s slot) empty() bool          { return [16]byte(s) == [16]byte{} }
func (s slot) same(other slot) bool { return [16]byte(s) == [16]byte(other) }

func (s slot) value() Value {
	return Value{binary.LittleEndian.Uint64(s[16:]), binary.LittleEndian.Uint64(s[24:])}
}

func (s slot) set(value Value) {
	binary.LittleEndian.PutUint64(s[16:], value[0])
	binary.LittleEndian.PutUint64(s[24:], value[1])
}
