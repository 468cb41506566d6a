package idtable

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A table says of each id what was put there last, and knows no other: whatever was put,
// changed and looked up in whatever order, in memory and in a file.
func TestTheTableIsAMap(t *testing.T) {
	dir := t.TempDir()
	table := &Table{Dir: dir}
	defer table.Close()
	known, random := map[string]Value{}, rand.New(rand.NewPCG(1, 2))
	for i := range 40_000 {
		id := fmt.Sprint(random.IntN(20_000))
		value, there, err := table.Get(id)
		if was, is := known[id]; err != nil || there != is || value != was {
			t.Fatalf("step %d: %q has %v, %v, %v; put was %v, %v", i, id, value, there, err, was, is)
		}
		if random.IntN(4) > 0 {
			known[id] = Value{random.Uint64(), random.Uint64()}
			if err := table.Put(id, known[id]); err != nil {
				t.Fatal(err)
			}
		}
	}
	for id, want := range known {
		if value, there, err := table.Get(id); err != nil || !there || value != want {
			t.Fatalf("%q has %v, %v, %v; put was %v", id, value, there, err, want)
		}
	}
	if _, inFile := table.slots.(temporary); !inFile {
		t.Errorf("%d ids are kept in memory", len(known))
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); runtime.GOOS != "windows" && (err != nil || len(left) > 0) {
		t.Errorf("the file has a name, which a killed process would leave: %v, %v", left, err)
	}
}

func TestIDsThatShareAPlace(t *testing.T) {
	var table Table
	defer table.Close()
	if err := table.grow(); err != nil {
		t.Fatal(err)
	}
	var last []string // ids whose place is the last slot
	for i := 0; len(last) < 2*blockSlots; i++ {
		probe := Table{slots: memory(make([]byte, firstSlots*slotSize)), size: firstSlots}
		id := fmt.Sprint(i)
		if err := probe.Put(id, Value{1}); err != nil {
			t.Fatal(err)
		}
		if there := probe.slots.(memory); !slot(there[(firstSlots-1)*slotSize:]).empty() {
			last = append(last, id)
		}
	}
	for i, id := range last {
		if err := table.Put(id, Value{uint64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	for i, id := range last {
		if value, known, err := table.Get(id); err != nil || !known || value[0] != uint64(i) {
			t.Errorf("%q is %v, %v, %v", id, value, known, err)
		}
	}
}

// A change that is not kept changes nothing, and enters nothing.
func TestAnUpdateThatIsNotKept(t *testing.T) {
	var table Table
	defer table.Close()
	if err := table.Put("a", Value{1, 2}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b"} {
		if err := table.Update(id, func(value *Value, _ bool) bool { *value = Value{9, 9}; return false }); err != nil {
			t.Fatal(err)
		}
	}
	if value, _, _ := table.Get("a"); value != (Value{1, 2}) {
		t.Errorf("it is %v", value)
	}
	if _, known, _ := table.Get("b"); known {
		t.Error("an id was entered")
	}
}

// Ids in a file take no memory, however many and long they are.
func TestIDsInAFileTakeNoMemory(t *testing.T) {
	table := &Table{Dir: t.TempDir()}
	defer table.Close()
	long := strings.Repeat("long name ", 20)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range 100_000 {
		if err := table.Put(long+fmt.Sprint(i), Value{uint64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if taken := int64(after.HeapAlloc) - int64(before.HeapAlloc); taken > 64<<10 {
		t.Errorf("100,000 ids take %d KB", taken>>10)
	}
	runtime.KeepAlive(table)
}

func TestATableWithoutAFile(t *testing.T) {
	table := &Table{Dir: filepath.Join(t.TempDir(), "nowhere")}
	for i := range 20_000 {
		if err := table.Put(fmt.Sprint(i), Value{uint64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if value, known, err := table.Get("19999"); err != nil || !known || value[0] != 19_999 {
		t.Errorf("the last one is %v, %v, %v", value, known, err)
	}
	table.Close()
	read, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	table = &Table{slots: temporary{File: read, gone: true}, size: firstSlots}
	defer table.Close()
	if err := table.Put("a", Value{1}); err == nil || !strings.Contains(err.Error(), "the file of the many ids: write ") || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("a file that cannot be written: %v", err)
	}
}

func BenchmarkTable(b *testing.B) {
	table := &Table{Dir: b.TempDir()}
	defer table.Close()
	for i := range b.N {
		if err := table.Put(fmt.Sprint(i), Value{uint64(i)}); err != nil {
			b.Fatal(err)
		}
	}
}
