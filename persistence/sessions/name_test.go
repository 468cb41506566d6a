package sessions

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func TestNameIsForNewSession(t *testing.T) {
	all := storage(t)
	for range 3 {
		name, err := all.Reserve("trip")
		if err != nil {
			t.Fatal(err)
		}
		var busy *NameBusyError
		if second, err := all.Reserve("trip"); !errors.As(err, &busy) || second != nil {
			t.Errorf("a second one is told %v", err)
		}
		other, err := all.Reserve("tripe")
		if err != nil {
			t.Errorf("another name: %v", err)
		}
		if err := errors.Join(other.Release(), name.Release()); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := os.ReadDir(all.Dir()); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestSessionInUse(t *testing.T) {
	all := storage(t)
	session, err := all.Create(Header{})
	if err != nil {
		t.Fatal(err)
	}
	id := session.Header().ID
	if !all.Busy(id) || all.Busy("nothing") {
		t.Error("who is in it is not seen")
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	if all.Busy(id) {
		t.Error("nobody is in it")
	}
	again, err := all.Open(id) // looking did not lock it
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAFreeLockIsTakenHoweverShortTheWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	mine, other := flock.New(path), flock.New(path)
	if locked, err := store.LockWithin(mine, time.Nanosecond); !locked || err != nil {
		t.Errorf("a free one: %v, %v", locked, err)
	}
	if locked, _ := store.LockWithin(other, time.Nanosecond); locked {
		t.Error("one that someone has was taken")
	}
	storetest.Must(t, mine.Close())
	storetest.Must(t, other.Close())
}
