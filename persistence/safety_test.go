package persistence

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"marvin/persistence/chat"
	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
	"marvin/persistence/personal"
	"marvin/persistence/projects"
	"marvin/persistence/settings"
	"marvin/persistence/spending"
)

func init() {
	storetest.Helpers["save for ever"] = func(home string) error {
		h := Open(home, storetest.Now)
		for {
			if err := spending.Of(h).Add(someTurn); err != nil {
				return err
			}
			if _, err := os.Stdout.WriteString("."); err != nil { // a turn that must not be lost
				return err
			}
			if err := chat.New(h.Profile("default")).Append(chat.Entry{Role: "you", Text: strings.Repeat("x", 40_000)}); err != nil {
				return err
			}
		}
	}
	storetest.Helpers["loose umask"] = func(home string) error { return everyWrite(home, 0) }
	storetest.Helpers["tight umask"] = func(home string) error { return everyWrite(home, 0o377) } // only root can open again what a tighter one leaves
}

func TestKill9DuringSaveLeavesOldOrNew(t *testing.T) {
	home := t.TempDir()
	h := Open(home, storetest.Now)
	turns, entries := 0, 0
	for round := range 12 {
		cmd := storetest.Helper(t, "save for ever", home)
		saved, err := cmd.StdoutPipe()
		storetest.Must(t, err)
		storetest.Must(t, cmd.Start())
		_, err = io.ReadFull(saved, make([]byte, 1))
		storetest.Must(t, err)
		time.Sleep(time.Duration(round) * 700 * time.Microsecond) // any moment of a save
		storetest.Must(t, cmd.Process.Kill())
		more, err := io.ReadAll(saved)
		storetest.Must(t, err)
		_ = cmd.Wait() // killed, as it should be
		turns += 1 + len(more)
		usage, err := spending.Of(h).Usage()
		storetest.Must(t, err)
		if usage.Turns < turns || usage.Turns > turns+1 || usage.Cost != 0.25*float64(usage.Turns) {
			t.Fatalf("%d turns were saved, usage.json knows %d, cost %v", turns, usage.Turns, usage.Cost)
		}
		log, err := chat.New(h.Profile("default")).Tail(1 << 20)
		storetest.Must(t, err)
		if len(log) < entries {
			t.Fatalf("entries %d → %d", entries, len(log))
		}
		turns, entries = usage.Turns, len(log)
	}
	storetest.Must(t, spending.Of(h).Add(someTurn)) // the lock died with its owner
	if left, _ := filepath.Glob(filepath.Join(h.State, ".usage.json.tmp*")); len(left) > 0 {
		t.Errorf("a killed save left %v for ever", left)
	}
}

// everyWrite makes every kind of write.
func everyWrite(home string, umask int) error {
	syscall.Umask(umask)
	h := Open(filepath.Join(home, "new"), storetest.Now)
	profile := h.Profile("default")
	return errors.Join(
		spending.Of(h).Add(someTurn),
		chat.New(profile).Append(chat.Entry{Role: "you", Text: "hello"}),
		chat.New(profile).Append(chat.Entry{Role: "assistant", Text: "hello"}),
		changeEverything(h),
	)
}

func changeEverything(h *Home) error {
	profile, _, switched := personal.SwitchProfile(h, "alex")
	_, _, place := personal.SavePlace(profile, "home", personal.PlaceChange{Name: new("Flat")})
	_, bookmark := personal.BookmarksOf(profile).Save(personal.Bookmark{URL: "https://go.dev"})
	entries := make([]chat.Entry, keptInLog+1)
	for i := range entries {
		entries[i] = chat.Entry{Role: "you", Text: "hello"}
	}
	talk := chat.New(profile).Append(entries...)
	_, compacted := chat.New(profile).Compact(1, length)
	return errors.Join(switched, place, bookmark, talk, compacted)
}

func TestPrivateWhateverTheUmask(t *testing.T) {
	for _, umask := range []string{"loose umask", "tight umask"} {
		home := t.TempDir()
		storetest.Must(t, storetest.Helper(t, umask, home).Run())
		files := 0
		storetest.Must(t, filepath.WalkDir(filepath.Join(home, "new"), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			want := fs.FileMode(0o600)
			if entry.IsDir() {
				want = 0o700 | fs.ModeDir
			} else {
				files++
			}
			// A lock file has no content, so it may have fewer permissions under a strict umask.
			if info.Mode() != want && !strings.HasSuffix(path, ".lock") {
				t.Errorf("%s: %s has mode %s", umask, path, info.Mode())
			}
			return nil
		}))
		if files != 17 {
			t.Errorf("%s: %d files", umask, files)
		}
	}
}

func TestWritesGoThroughSymbolicLinks(t *testing.T) {
	h := Open(t.TempDir(), storetest.Now)
	dotfiles := t.TempDir()
	storetest.Must(t, os.MkdirAll(h.State, 0o700))
	relative, err := filepath.Rel(h.State, filepath.Join(dotfiles, "usage.json"))
	storetest.Must(t, err)
	storetest.Must(t, os.Symlink(relative, h.Path("usage.json")))
	storetest.Must(t, spending.Of(h).Add(someTurn)) // the file behind the link is not there yet
	storetest.Must(t, spending.Of(h).Add(someTurn))
	if info, err := os.Lstat(h.Path("usage.json")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info, err)
	}
	if !strings.Contains(storetest.Get(t, filepath.Join(dotfiles, "usage.json")), `"total_llm_turns": 2`) {
		t.Error("the file behind the link was not written")
	}
	storetest.Must(t, os.Remove(filepath.Join(dotfiles, "usage.json")))
	storetest.Must(t, os.Symlink("usage.json", filepath.Join(dotfiles, "usage.json")))
	if err := spending.Of(h).Add(someTurn); err == nil || !strings.Contains(err.Error(), "symbolic links") {
		t.Errorf("a link to itself: %v", err)
	}
}

func TestWithoutHomeReadsAreEmptyAndWritesSayWhy(t *testing.T) {
	h := Open("", storetest.Now)
	profile := h.Profile("default")
	name, err := h.LastProfile()
	if name != "default" || err != nil {
		t.Errorf("profile %q, %v", name, err)
	}
	usage, err1 := spending.Of(h).Usage()
	log, err2 := chat.New(profile).Tail(5)
	preferences, err3 := personal.Preferences(profile)
	places, err4 := personal.Places(profile)
	config, err5 := settings.Read(h)
	instructions, err6 := projects.Instructions(h, t.TempDir())
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		t.Error(err)
	}
	if usage.Turns+len(log)+len(preferences)+len(places)+len(config.Hosts)+len(instructions.Text) != 0 {
		t.Error("something was read from nowhere")
	}
	for _, err := range []error{spending.Of(h).Add(someTurn), chat.New(profile).Append(chat.Entry{Text: "x"})} {
		if !errors.Is(err, ErrNoHome) {
			t.Errorf("got %v", err)
		}
	}
}

func TestReadingMakesNothing(t *testing.T) {
	home := t.TempDir()
	h := Open(home, storetest.Now)
	_, err1 := spending.Of(h).Usage()
	_, err2 := chat.New(h.Profile("default")).Tail(5)
	_, err3 := h.LastProfile()
	storetest.Must(t, errors.Join(err1, err2, err3))
	if made, _ := filepath.Glob(filepath.Join(home, ".*")); len(made) != 0 {
		t.Errorf("reading made %v", made)
	}
}

func TestALockThatIsNotGivenBackEndsInAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := Open(t.TempDir(), storetest.Now)
		profile, hello := h.Profile("default"), chat.Entry{Role: "you", Text: "hello"}
		storetest.Must(t, chat.New(profile).Append(hello))
		other := flock.New(store.HiddenBeside(profile.Path("chat_log.json"), ".lock"))
		storetest.Must(t, other.Lock())
		if err := chat.New(profile).Append(hello); err == nil || !strings.Contains(err.Error(), "another process") {
			t.Errorf("got %v", err)
		}
		storetest.Must(t, other.Close())
		storetest.Must(t, chat.New(profile).Append(hello))
	})
}

func TestAHomeThatCannotBeMadeIsAnError(t *testing.T) {
	h := Open("/proc/nowhere", time.Now)
	if err := spending.Of(h).Add(spending.Usage{Turns: 1}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
