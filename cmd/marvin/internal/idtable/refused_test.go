package idtable

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// room is where slots are, on a disk that does not do what it is asked for the so-and-so-many-th time.
type room struct {
	store
	left *int
}

var errRefused = errors.New("the disk is gone")

func (r room) refuses() bool {
	*r.left--
	return *r.left == 0
}

func (r room) ReadAt(into []byte, at int64) (int, error) {
	if r.refuses() {
		return 0, errRefused
	}
	return r.store.ReadAt(into, at)
}

func (r room) WriteAt(from []byte, at int64) (int, error) {
	if r.refuses() {
		return 0, errRefused
	}
	return r.store.WriteAt(from, at)
}

func (r room) Close() error { return errors.Join(r.store.Close(), errors.New("closed badly")) }

func TestEachReadAndWriteOfATableFailsOnce(t *testing.T) {
	const before = firstSlots / 4 * 3
	refused := 0
	for nth := 1; ; nth++ {
		left := 0
		table := &Table{}
		for i := range before {
			if err := table.Put(fmt.Sprint(i), Value{uint64(i), 7}); err != nil {
				t.Fatal(err)
			}
		}
		table.slots, left = room{table.slots, &left}, nth
		var failed error
		for _, id := range []string{"5", "new"} { // the first of them makes it grow
			err := table.Put(id, Value{9, 9})
			if err == nil {
				continue
			}
			if failed = err; !errors.Is(err, ErrFile) || !errors.Is(err, errRefused) || strings.Contains(err.Error(), "closed badly") {
				t.Errorf("refusal %d is told as %v", nth, err)
			}
			if table.size != firstSlots || table.used != before {
				t.Errorf("after refusal %d it has %d of %d slots used", nth, table.used, table.size)
			}
			if err := table.Put(id, Value{9, 9}); err != nil {
				t.Errorf("after refusal %d: %v", nth, err)
			}
		}
		if table.used != before+1 || table.size != firstSlots*growth {
			t.Errorf("refusal %d: %d of %d slots are used", nth, table.used, table.size)
		}
		for i := range before {
			want := Value{uint64(i), 7}
			if i == 5 {
				want = Value{9, 9}
			}
			if value, known, err := table.Get(fmt.Sprint(i)); err != nil || !known || value != want {
				t.Fatalf("refusal %d: %d is %v, %v, %v", nth, i, value, known, err)
			}
		}
		table.Close()
		if failed == nil {
			break
		}
		refused++
	}
	if refused != 1 { // it is read whole, in one piece
		t.Errorf("%d refusals were told", refused)
	}
}

// A table that does not grow tells of each read and write, too, and forgets all when it is closed.
func TestReadsAndWritesOfASmallTableFail(t *testing.T) {
	left := 0
	table := &Table{slots: room{memory(make([]byte, firstSlots*slotSize)), &left}, size: firstSlots}
	if err := table.Put("a", Value{1, 2}); err != nil {
		t.Fatal(err)
	}
	for nth, want := range []string{"read a", "read b", "write a", "write b"} {
		what, id, _ := strings.Cut(want, " ")
		left = 1 + nth/2
		if err := table.Put(id, Value{3, 4}); !errors.Is(err, errRefused) || !errors.Is(err, ErrFile) || table.used != 1 {
			t.Errorf("%s of %s: %v, %d used", what, id, err, table.used)
		}
		if value, known, err := table.Get("a"); err != nil || !known || value != (Value{1, 2}) {
			t.Errorf("%s: a is %v, %v, %v", want, value, known, err)
		}
		left = 1
		if _, known, err := table.Get("a"); !errors.Is(err, ErrFile) || known {
			t.Errorf("it is read anyway: %v, %v", known, err)
		}
	}
	table.Close()
	table.Close()
	if value, known, err := table.Get("a"); err != nil || known || value != (Value{}) {
		t.Errorf("a closed table has %v, %v, %v", value, known, err)
	}
}
