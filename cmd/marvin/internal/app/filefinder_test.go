package app

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"marvin/actors/actorstest"
	"marvin/cmd/marvin/internal/cli"
)

// An old list answers at once, and a new file is found with the next word. If a word matches no
// entry of the list, the files are listed again before the answer is empty.
func TestAnOldListOfFilesAnswers(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	world := cli.World{Stderr: io.Discard, Dir: dir, Now: func() time.Time { return now }}
	write := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("rose.txt")
	finder := &FileFinder{}
	if found := finder.Find(world, dir, "rose", nil); !slices.Equal(found, []string{"rose.txt"}) {
		t.Fatalf("%q", found)
	}
	write("rose2.txt")
	write("tulip.txt")
	now = now.Add(2 * listingAge)
	if found := finder.Find(world, dir, "rose", nil); !slices.Equal(found, []string{"rose.txt"}) {
		t.Fatalf("the old list does not answer: %q", found)
	}
	for deadline := time.Now().Add(actorstest.Patience); ; time.Sleep(time.Millisecond) {
		found := finder.Find(world, dir, "rose", nil)
		if slices.Equal(found, []string{"rose.txt", "rose2.txt"}) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("another list was not made: %q", found)
		}
	}
	write("violet.txt")
	if found := finder.Find(world, dir, "violet", nil); len(found) > 0 {
		t.Fatalf("%q is in a list that is not old", found)
	}
	now = now.Add(2 * listingAge)
	if found := finder.Find(world, dir, "violet", nil); !slices.Equal(found, []string{"violet.txt"}) {
		t.Fatalf("%q", found)
	}
}
