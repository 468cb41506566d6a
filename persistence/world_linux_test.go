package persistence

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/persistence/chat"
	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
	"marvin/persistence/logins"
	"marvin/persistence/personal"
	"marvin/persistence/spending"
)

// This file tests adverse conditions, such as no room for a lock, files of other users, a clock
// that goes back, and many processes at once.

func init() {
	storetest.Helpers["no room for a lock"] = noRoomForALock
	storetest.Helpers["somebody else"] = somebodyElse
	storetest.Helpers["chat"] = func(home string) error {
		for i := range 10 {
			said := chat.Entry{Role: "you", Text: fmt.Sprintf("%s says %d", os.Getenv("PERSISTENCE_SPEAKER"), i)}
			err := chat.New(Open(home, storetest.Now).Profile("default")).Append(said)
			for errors.Is(err, store.ErrLocked) { // 500 entries on a busy disk take longer than anybody waits for one
				err = chat.New(Open(home, storetest.Now).Profile("default")).Append(said)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

func TestNoRoomForALockIsAnErrorAndNoLoss(t *testing.T) {
	cmd := storetest.Helper(t, "no room for a lock", t.TempDir())
	cmd.Stderr = nil
	storetest.InOwnMounts(t, cmd)
}

func noRoomForALock(home string) error {
	if err := syscall.Mount("none", home, "tmpfs", 0, "nr_inodes=60"); err != nil {
		return err
	}
	h := Open(home, storetest.Now)
	profile, hello := h.Profile("default"), chat.Entry{Role: "you", Text: "hello"}
	if err := chat.New(profile).Append(hello); err != nil {
		return err
	}
	ballast, err := []string(nil), error(nil)
	for n := 0; err == nil; n++ {
		name := filepath.Join(home, fmt.Sprint("ballast", n))
		if err = store.AppendTo(name, nil); err == nil {
			ballast = append(ballast, name)
		}
	}
	_, _, place := personal.SavePlace(profile, "home", personal.PlaceChange{Name: new("Flat")})
	for name, err := range map[string]error{"chat": chat.New(profile).Append(hello), "places": place, "new profile": chat.New(h.Profile("new")).Append(hello)} {
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), home) {
			return fmt.Errorf("%s: without room for a lock: %s", name, storetest.ErrorText(err))
		}
	}
	if log, err := chat.New(profile).Tail(5); err != nil || len(log) != 1 {
		return fmt.Errorf("the log has %d entries, %w", len(log), err)
	}
	for _, name := range ballast {
		err = errors.Join(os.Remove(name))
	}
	_, _, place = personal.SavePlace(profile, "home", personal.PlaceChange{Name: new("Flat")})
	return errors.Join(err, place, chat.New(profile).Append(hello))
}

// If Marvin was once run with sudo, its files belong to root.
func TestForeignFilesAreNamedAndKept(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files to another user")
	}
	home, err := os.MkdirTemp("/tmp", "marvin") // a folder that is not Marvin's, readable by others
	storetest.Must(t, err)
	t.Cleanup(func() { os.RemoveAll(home) })
	storetest.Must(t, os.Mkdir(filepath.Join(home, ".config"), 0o755))
	storetest.Must(t, os.Chmod(home, 0o755))
	storetest.Must(t, spending.Of(Open(home, storetest.Now)).Add(someTurn))
	storetest.Must(t, chat.New(Open(home, storetest.Now).Profile("default")).Append(chat.Entry{Role: "you", Text: "hello"}))
	cmd := storetest.Helper(t, "somebody else", home)
	cmd.Stderr = nil
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if usage, err := spending.Of(Open(home, storetest.Now)).Usage(); err != nil || usage.Turns != 1 {
		t.Errorf("%+v, %v", usage, err)
	}
}

func somebodyElse(home string) error {
	if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(65534), syscall.Setuid(65534)); err != nil {
		return err
	}
	h := Open(home, storetest.Now)
	_, usage := spending.Of(h).Usage()
	_, talk := chat.New(h.Profile("default")).Tail(5)
	for name, err := range map[string]error{
		"read usage": usage, "read chat": talk, "usage": spending.Of(h).Add(someTurn), "chat": chat.New(h.Profile("default")).Append(chat.Entry{Role: "you", Text: "x"}),
	} {
		if !errors.Is(err, syscall.EACCES) || !strings.Contains(err.Error(), h.State) {
			return fmt.Errorf("%s: %s", name, storetest.ErrorText(err))
		}
	}
	return nil
}

func TestClockBackwards(t *testing.T) {
	clock := storetest.Noon
	h := Open(t.TempDir(), func() time.Time { clock = clock.Add(-time.Hour); return clock })
	profile := h.Profile("default")
	for i := range 5 {
		storetest.Must(t, chat.New(profile).Append(chat.Entry{Role: "you", Text: fmt.Sprint(i)}))
	}
	log, err := chat.New(profile).Tail(5)
	storetest.Must(t, err)
	for i, entry := range log {
		if entry.Text != fmt.Sprint(i) {
			t.Errorf("entry %d is %q", i, entry.Text)
		}
	}
	h.Now = storetest.Now // and stands still
	var backups, aside []string
	for range 3 {
		path, err := chat.BackupContext(profile, t.TempDir(), []chat.ContextMessage{{Role: "user", Content: "x"}})
		storetest.Must(t, err)
		other, err := chat.BackupContext(profile, "", []chat.ContextMessage{{Role: "user", Content: "x"}})
		storetest.Must(t, err)
		backups = append(backups, path, other)
		storetest.Put(t, h.Path("usage.json"), "{damaged")
		if err := spending.Of(h).Add(someTurn); !OnlyDamage(err) {
			t.Errorf("got %v", err)
		}
	}
	aside, _ = filepath.Glob(h.Path("usage.json.damaged*"))
	slices.Sort(backups)
	if len(slices.Compact(backups)) != 6 || len(aside) != 3 {
		t.Errorf("within one second: backups %q, set aside %q", backups, aside)
	}
}

// Two windows and then twenty windows use one profile at the same time. No entry is lost, and the
// entries of each window stay in order.
func TestProcessesThatTalkAtOnceLoseNothing(t *testing.T) {
	for _, processes := range []int{2, 20} {
		home := t.TempDir()
		var started []*exec.Cmd
		for n := range processes {
			cmd := storetest.Helper(t, "chat", home)
			cmd.Env = append(cmd.Env, fmt.Sprintf("PERSISTENCE_SPEAKER=%d", n))
			storetest.Must(t, cmd.Start())
			started = append(started, cmd)
		}
		for _, cmd := range started {
			storetest.Must(t, cmd.Wait())
		}
		log, err := chat.New(Open(home, storetest.Now).Profile("default")).Tail(1 << 20)
		storetest.Must(t, err)
		next := map[int]int{}
		for _, entry := range log {
			var speaker, number int
			if _, err := fmt.Sscanf(entry.Text, "%d says %d", &speaker, &number); err != nil || number != next[speaker] {
				t.Fatalf("%d processes: %q, but %d comes next", processes, entry.Text, next[speaker])
			}
			next[speaker]++
		}
		if len(log) != 10*processes || len(next) != processes {
			t.Errorf("%d processes left %d entries of %d", processes, len(log), len(next))
		}
	}
}

// If an earlier Marvin let other users read a file of tokens, reading it makes it private.
func TestOpenTokensAreClosed(t *testing.T) {
	profile := Open(t.TempDir(), storetest.Now).Profile("default")
	storetest.Put(t, profile.Path("tokens.json"), `{"spotify":{"access_token":"x"}}`)
	storetest.Must(t, os.Chmod(profile.Path("tokens.json"), 0o644))
	if known, err := logins.TokensOf(profile); err != nil || known.Spotify == nil {
		t.Fatalf("%+v, %v", known, err)
	}
	if info, err := os.Stat(profile.Path("tokens.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
