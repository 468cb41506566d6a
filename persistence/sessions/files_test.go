package sessions

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestFilesThatAreReadAreReported(t *testing.T) {
	all := stocked(t, 20, "one")
	var mu sync.Mutex
	read, told := 0, 0
	watched := all.Watch(func(all int) {
		mu.Lock()
		defer mu.Unlock()
		read, told = read+1, all
	})
	list, err := watched.List()
	if err != nil || len(list) != 20 || read != 0 {
		t.Fatalf("with an index %d of %d files were read for %d sessions, %v", read, told, len(list), err)
	}
	for _, info := range list[:2] {
		session, err := all.Open(info.ID)
		if err != nil {
			t.Fatal(err)
		}
		add(t, session, said("two"))
		if err := errors.Join(session.file.Close(), session.lock.Close()); err != nil { // as a crash does: the index is not told
			t.Fatal(err)
		}
	}
	if _, err := watched.List(); err != nil || read != 2 || told != 2 {
		t.Errorf("two grew: %d of %d, %v", read, told, err)
	}
	read = 0
	storetest.Must(t, store.RemoveIfThere(all.indexPath()))
	if again, err := watched.List(); err != nil || len(again) != 20 || read != 20 || told != 20 {
		t.Errorf("without an index: %d of %d for %d sessions, %v", read, told, len(again), err)
	}
	if read = 0; len(watched.Check()) != 20 || read != 20 || told != 20 {
		t.Errorf("a check: %d of %d", read, told)
	}
}

func TestWordsThatLookLikeABody(t *testing.T) {
	all := stocked(t, 1)
	list, err := all.List()
	if err != nil {
		t.Fatal(err)
	}
	session, err := all.Open(list[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	const asked = `what is ,"body":{ and "kind":"leaf"?`
	add(t, session, Entry{Kind: "step", Body: []byte(`{"about":{"first":"no"},"body":[1]}`), About: &About{First: asked, Turns: 1}})
	storetest.Must(t, session.Close())
	storetest.Must(t, store.RemoveIfThere(all.indexPath()))
	if list, err = all.List(); err != nil || len(list) != 1 || list[0].First != asked || list[0].Turns != 1 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestProjectDirectoryName(t *testing.T) {
	for dir, want := range map[string]string{
		"": "nowhere", "/": "-", "/a/azAZ09-_.x": "azAZ09-_.x-", "/a/ä b{`@[:": "b-", "/a/..x..": "x-", "/a/--": "-",
		"/a/" + strings.Repeat("n", 50): strings.Repeat("n", 40) + "-",
	} {
		got := project(dir)
		if hash := strings.TrimPrefix(got, want); len(hash) != 8 && dir != "" || hash == got {
			t.Errorf("%q is %s", dir, got)
		}
	}
	if project("/a/x") == project("/b/x") {
		t.Error("two projects have one directory")
	}
}

func TestTheListIsWrittenALineForEach(t *testing.T) {
	all := stocked(t, 3, "one")
	storetest.Must(t, os.Remove(all.indexPath()))
	list, err := all.List()
	storetest.Must(t, err)
	var text strings.Builder
	for _, info := range slices.Backward(list) {
		line, err := json.Marshal(info)
		storetest.Must(t, err)
		text.Write(append(line, '\n'))
	}
	if is := storetest.Get(t, all.indexPath()); is != text.String() || len(list) != 3 {
		t.Errorf("of %d conversations is written\n%s", len(list), is)
	}
}
