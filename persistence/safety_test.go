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
)

func init() {
	helpers["save for ever"] = func(home string) error {
		h := Open(home, now)
		for {
			if err := h.Lifetime().Add(someTurn); err != nil {
				return err
			}
			if _, err := os.Stdout.WriteString("."); err != nil { // a turn that must not be lost
				return err
			}
			if err := h.Profile("default").Chat().Append(ChatEntry{Role: "you", Text: strings.Repeat("x", 40_000)}); err != nil {
				return err
			}
		}
	}
	helpers["loose umask"] = func(home string) error { return everyWrite(home, 0) }
	helpers["tight umask"] = func(home string) error { return everyWrite(home, 0o377) } // only root can open again what a tighter one leaves
}

func TestRow2Kill9DuringSaveLeavesOldOrNew(t *testing.T) {
	home := t.TempDir()
	h := Open(home, now)
	turns, entries := 0, 0
	for round := range 12 {
		cmd := helper(t, "save for ever", home)
		saved, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		_, err = io.ReadFull(saved, make([]byte, 1))
		must(t, err)
		time.Sleep(time.Duration(round) * 700 * time.Microsecond) // any moment of a save
		must(t, cmd.Process.Kill())
		more, err := io.ReadAll(saved)
		must(t, err)
		_ = cmd.Wait() // killed, as it should be
		turns += 1 + len(more)
		usage, err := h.Lifetime().Usage()
		must(t, err)
		if usage.Turns < turns || usage.Turns > turns+1 || usage.Cost != 0.25*float64(usage.Turns) {
			t.Fatalf("%d turns were saved, usage.json knows %d, cost %v", turns, usage.Turns, usage.Cost)
		}
		log, err := h.Profile("default").Chat().Tail(1 << 20)
		must(t, err)
		if len(log) < entries {
			t.Fatalf("entries %d → %d", entries, len(log))
		}
		turns, entries = usage.Turns, len(log)
	}
	must(t, h.Lifetime().Add(someTurn)) // the lock died with its owner
	if left, _ := filepath.Glob(filepath.Join(h.State, ".usage.json.tmp*")); len(left) > 0 {
		t.Errorf("a killed save left %v for ever", left)
	}
}

// everyWrite does each kind of write there is.
func everyWrite(home string, umask int) error {
	syscall.Umask(umask)
	h := Open(filepath.Join(home, "new"), now)
	profile := h.Profile("default")
	return errors.Join(
		h.Lifetime().Add(someTurn),
		profile.Chat().Append(ChatEntry{Role: "you", Text: "hello"}),
		profile.Chat().Append(ChatEntry{Role: "assistant", Text: "hello"}),
		changeEverything(h),
	)
}

func changeEverything(h *Home) error {
	profile, _, switched := h.SwitchProfile("alex")
	_, _, place := profile.SavePlace("home", PlaceChange{Name: new("Flat")})
	_, bookmark := profile.Bookmarks().Save(Bookmark{URL: "https://go.dev"})
	entries := make([]ChatEntry, keptInLog+1)
	for i := range entries {
		entries[i] = ChatEntry{Role: "you", Text: "hello"}
	}
	chat := profile.Chat().Append(entries...)
	_, compacted := profile.Chat().Compact(1, length)
	return errors.Join(switched, place, bookmark, chat, compacted)
}

func TestS20PrivateWhateverTheUmask(t *testing.T) {
	for _, umask := range []string{"loose umask", "tight umask"} {
		home := t.TempDir()
		must(t, helper(t, umask, home).Run())
		files := 0
		must(t, filepath.WalkDir(filepath.Join(home, "new"), func(path string, entry fs.DirEntry, err error) error {
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
			// The lock holds nothing; a tight umask may leave it with less.
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
	h := Open(t.TempDir(), now)
	dotfiles := t.TempDir()
	must(t, os.MkdirAll(h.State, 0o700))
	relative, err := filepath.Rel(h.State, filepath.Join(dotfiles, "usage.json"))
	must(t, err)
	must(t, os.Symlink(relative, h.path("usage.json")))
	must(t, h.Lifetime().Add(someTurn)) // the file behind the link is not there yet
	must(t, h.Lifetime().Add(someTurn))
	if info, err := os.Lstat(h.path("usage.json")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info, err)
	}
	if !strings.Contains(get(t, filepath.Join(dotfiles, "usage.json")), `"total_llm_turns": 2`) {
		t.Error("the file behind the link was not written")
	}
	must(t, os.Remove(filepath.Join(dotfiles, "usage.json")))
	must(t, os.Symlink("usage.json", filepath.Join(dotfiles, "usage.json")))
	if err := h.Lifetime().Add(someTurn); err == nil || !strings.Contains(err.Error(), "symbolic links") {
		t.Errorf("a link to itself: %v", err)
	}
}

func TestWithoutHomeReadsAreEmptyAndWritesSayWhy(t *testing.T) {
	h := Open("", now)
	profile := h.Profile("default")
	name, err := h.LastProfile()
	if name != "default" || err != nil {
		t.Errorf("profile %q, %v", name, err)
	}
	usage, err1 := h.Lifetime().Usage()
	log, err2 := profile.Chat().Tail(5)
	preferences, err3 := profile.Preferences()
	places, err4 := profile.Places()
	config, err5 := h.Config()
	instructions, err6 := h.Instructions(t.TempDir())
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		t.Error(err)
	}
	if usage.Turns+len(log)+len(preferences)+len(places)+len(config.Hosts)+len(instructions.Text) != 0 {
		t.Error("something was read from nowhere")
	}
	for _, err := range []error{h.Lifetime().Add(someTurn), profile.Chat().Append(ChatEntry{Text: "x"})} {
		if !errors.Is(err, ErrNoHome) {
			t.Errorf("got %v", err)
		}
	}
}

func TestReadingMakesNothing(t *testing.T) {
	home := t.TempDir()
	h := Open(home, now)
	_, err1 := h.Lifetime().Usage()
	_, err2 := h.Profile("default").Chat().Tail(5)
	_, err3 := h.LastProfile()
	must(t, errors.Join(err1, err2, err3))
	if made, _ := filepath.Glob(filepath.Join(home, ".*")); len(made) != 0 {
		t.Errorf("reading made %v", made)
	}
}

func TestALockThatIsNotGivenBackEndsInAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := Open(t.TempDir(), now)
		profile, hello := h.Profile("default"), ChatEntry{Role: "you", Text: "hello"}
		must(t, profile.Chat().Append(hello))
		other := flock.New(beside(profile.path("chat_log.json"), ".lock"))
		must(t, other.Lock())
		if err := profile.Chat().Append(hello); err == nil || !strings.Contains(err.Error(), "another process") {
			t.Errorf("got %v", err)
		}
		must(t, other.Close())
		must(t, profile.Chat().Append(hello))
	})
}

func TestAHomeThatCannotBeMadeIsAnError(t *testing.T) {
	h := Open("/proc/nowhere", time.Now)
	if err := h.Lifetime().Add(Usage{Turns: 1}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}
