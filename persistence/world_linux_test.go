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
)

// The world as it should not be: no room for a lock, files of somebody else, a clock that
// goes back, many processes at once.

func init() {
	helpers["no room for a lock"] = noRoomForALock
	helpers["somebody else"] = somebodyElse
	helpers["chat"] = func(home string) error {
		for i := range 25 {
			said := ChatEntry{Role: "you", Text: fmt.Sprintf("%s says %d", os.Getenv("PERSISTENCE_SPEAKER"), i)}
			err := Open(home, now).Profile("default").Chat().Append(said)
			for errors.Is(err, errLocked) { // 500 entries on a busy disk take longer than anybody waits for one
				err = Open(home, now).Profile("default").Chat().Append(said)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

func TestRow4NoRoomForALockIsAnErrorAndNoLoss(t *testing.T) {
	cmd := helper(t, "no room for a lock", t.TempDir())
	cmd.Stderr = nil
	inOwnMounts(t, cmd)
}

func noRoomForALock(home string) error {
	if err := syscall.Mount("none", home, "tmpfs", 0, "nr_inodes=60"); err != nil {
		return err
	}
	h := Open(home, now)
	profile, hello := h.Profile("default"), ChatEntry{Role: "you", Text: "hello"}
	if err := profile.Chat().Append(hello); err != nil {
		return err
	}
	ballast, err := []string(nil), error(nil)
	for n := 0; err == nil; n++ {
		name := filepath.Join(home, fmt.Sprint("ballast", n))
		if err = appendTo(name, nil); err == nil {
			ballast = append(ballast, name)
		}
	}
	_, _, place := profile.SavePlace("home", PlaceChange{Name: new("Flat")})
	for name, err := range map[string]error{"chat": profile.Chat().Append(hello), "places": place, "new profile": h.Profile("new").Chat().Append(hello)} {
		if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), home) {
			return fmt.Errorf("%s: without room for a lock: %s", name, errorText(err))
		}
	}
	if log, err := profile.Chat().Tail(5); err != nil || len(log) != 1 {
		return fmt.Errorf("the log has %d entries, %w", len(log), err)
	}
	for _, name := range ballast {
		err = errors.Join(os.Remove(name))
	}
	_, _, place = profile.SavePlace("home", PlaceChange{Name: new("Flat")})
	return errors.Join(err, place, profile.Chat().Append(hello))
}

// Marvin was once run with sudo: its files are root's.
func TestFilesOfSomebodyElseAreNamedAndLeftAlone(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files to somebody else")
	}
	home, err := os.MkdirTemp("/tmp", "marvin") // where somebody else gets in, though not into Marvin's
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(home) })
	must(t, os.Mkdir(filepath.Join(home, ".config"), 0o755))
	must(t, os.Chmod(home, 0o755))
	must(t, Open(home, now).Lifetime().Add(someTurn))
	must(t, Open(home, now).Profile("default").Chat().Append(ChatEntry{Role: "you", Text: "hello"}))
	cmd := helper(t, "somebody else", home)
	cmd.Stderr = nil
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if usage, err := Open(home, now).Lifetime().Usage(); err != nil || usage.Turns != 1 {
		t.Errorf("%+v, %v", usage, err)
	}
}

func somebodyElse(home string) error {
	if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(65534), syscall.Setuid(65534)); err != nil {
		return err
	}
	h := Open(home, now)
	_, usage := h.Lifetime().Usage()
	_, chat := h.Profile("default").Chat().Tail(5)
	for name, err := range map[string]error{
		"read usage": usage, "read chat": chat, "usage": h.Lifetime().Add(someTurn), "chat": h.Profile("default").Chat().Append(ChatEntry{Role: "you", Text: "x"}),
	} {
		if !errors.Is(err, syscall.EACCES) || !strings.Contains(err.Error(), h.State) {
			return fmt.Errorf("%s: %s", name, errorText(err))
		}
	}
	return nil
}

// Row 8: order is the order of what was said, whatever the clock does meanwhile.
func TestRow8ClockBackwards(t *testing.T) {
	clock := noon
	h := Open(t.TempDir(), func() time.Time { clock = clock.Add(-time.Hour); return clock })
	profile := h.Profile("default")
	for i := range 5 {
		must(t, profile.Chat().Append(ChatEntry{Role: "you", Text: fmt.Sprint(i)}))
	}
	log, err := profile.Chat().Tail(5)
	must(t, err)
	for i, entry := range log {
		if entry.Text != fmt.Sprint(i) {
			t.Errorf("entry %d is %q", i, entry.Text)
		}
	}
	h.Now = now // and stands still
	var backups, aside []string
	for range 3 {
		path, err := profile.BackupContext(t.TempDir(), []ContextMessage{{Role: "user", Content: "x"}})
		must(t, err)
		other, err := profile.BackupContext("", []ContextMessage{{Role: "user", Content: "x"}})
		must(t, err)
		backups = append(backups, path, other)
		put(t, h.path("usage.json"), "{damaged")
		if err := h.Lifetime().Add(someTurn); !OnlyDamage(err) {
			t.Errorf("got %v", err)
		}
	}
	aside, _ = filepath.Glob(h.path("usage.json.damaged*"))
	slices.Sort(backups)
	if len(slices.Compact(backups)) != 6 || len(aside) != 3 {
		t.Errorf("within one second: backups %q, set aside %q", backups, aside)
	}
}

// Row 3: two windows, and twenty, talk in one profile: nothing that was said is lost, and
// each is in its own order.
func TestRow3ProcessesThatTalkAtOnceLoseNothing(t *testing.T) {
	for _, processes := range []int{2, 20} {
		home := t.TempDir()
		var started []*exec.Cmd
		for n := range processes {
			cmd := helper(t, "chat", home)
			cmd.Env = append(cmd.Env, fmt.Sprintf("PERSISTENCE_SPEAKER=%d", n))
			must(t, cmd.Start())
			started = append(started, cmd)
		}
		for _, cmd := range started {
			must(t, cmd.Wait())
		}
		log, err := Open(home, now).Profile("default").Chat().Tail(1 << 20)
		must(t, err)
		next := map[int]int{}
		for _, entry := range log {
			var speaker, number int
			if _, err := fmt.Sscanf(entry.Text, "%d says %d", &speaker, &number); err != nil || number != next[speaker] {
				t.Fatalf("%d processes: %q, but %d comes next", processes, entry.Text, next[speaker])
			}
			next[speaker]++
		}
		if len(log) != 25*processes || len(next) != processes {
			t.Errorf("%d processes left %d entries of %d", processes, len(log), len(next))
		}
	}
}

// S20: a file of tokens that an earlier Marvin left open to all is closed when it is read.
func TestS20OpenTokensAreClosed(t *testing.T) {
	profile := Open(t.TempDir(), now).Profile("default")
	put(t, profile.path("tokens.json"), `{"spotify":{"access_token":"x"}}`)
	must(t, os.Chmod(profile.path("tokens.json"), 0o644))
	if known, err := profile.Credentials(); err != nil || known.Spotify == nil {
		t.Fatalf("%+v, %v", known, err)
	}
	if info, err := os.Stat(profile.path("tokens.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
