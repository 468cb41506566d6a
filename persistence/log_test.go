package persistence

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"marvin/persistence/internal/storetest"
)

func TestTheLogIsBounded(t *testing.T) {
	home := Open(t.TempDir(), storetest.Now)
	log := NewLog(home)
	if _, err := os.Stat(filepath.Dir(log.Path())); err == nil {
		t.Error("something is made before it is needed")
	}
	line := strings.Repeat("x", 1000)
	var all sync.WaitGroup
	for process := range 4 { // each with a log of its own, as processes have
		all.Go(func() {
			log := NewLog(Open(home.User, storetest.Now))
			for i := range 2000 {
				if _, err := fmt.Fprintf(log, "%d %d %s\n", process, i, line); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	var size int64
	for _, path := range []string{log.Path(), log.Path() + ".1"} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 || info.Size() > MaxLog+10_000 {
			t.Fatalf("%s: %v, %+v", path, err, info)
		}
		size += info.Size()
	}
	tail, err := log.Tail(100_000)
	if err != nil || len(tail) > 100_000 || len(tail) < 98_000 {
		t.Fatalf("%d bytes, %v", len(tail), err)
	}
	for text := range bytes.Lines(tail) {
		if len(bytes.Fields(text)) != 3 || !bytes.HasSuffix(text, []byte(line+"\n")) {
			t.Errorf("a line is broken: %.60q", text)
		}
	}
	if whole, err := log.Tail(1 << 30); err != nil || int64(len(whole)) != size {
		t.Errorf("%d of %d bytes, %v", len(whole), size, err)
	}
	if _, err := log.Write(bytes.Repeat([]byte("y"), 10*MaxLog)); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(log.Path()); err != nil || info.Size() > 2*MaxLog {
		t.Errorf("one line of 20 MB makes %+v, %v", info, err)
	}
}

func TestTheEndOfTheLog(t *testing.T) {
	home := Open(t.TempDir(), storetest.Now)
	log := NewLog(home)
	path := log.Path()
	storetest.Put(t, path+".1", "one\ntwo\n")
	storetest.Put(t, path, "three\nfour\n")
	for limit, want := range map[int64]string{0: "", 3: "", 5: "", 6: "four\n", 10: "four\n", 11: "four\n", 12: "three\nfour\n", 19: "one\ntwo\nthree\nfour\n", 100: "one\ntwo\nthree\nfour\n"} {
		if text, err := log.Tail(limit); err != nil || string(text) != want {
			t.Errorf("the last %d bytes: %q, %v", limit, text, err)
		}
	}
	for _, name := range []string{path, path + ".1"} {
		storetest.Must(t, os.Rename(name, name+".away"))
		storetest.Must(t, os.Mkdir(name, 0o700))
		if _, err := log.Tail(100); err == nil || !strings.Contains(err.Error(), filepath.Base(name)+" is not a regular file") {
			t.Errorf("%s is a directory: %v", name, err)
		}
		storetest.Must(t, os.Remove(name))
		storetest.Must(t, os.Rename(name+".away", name))
	}
}
