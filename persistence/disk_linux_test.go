package persistence

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func init() {
	helpers["fill the disk"] = fillTheDisk
	helpers["keep on a full disk"] = keepOnAFullDisk
	helpers["read-only disk"] = readOnlyDisk
}

func TestRow4SaveOnAFullDiskKeepsTheOldFile(t *testing.T) {
	cmd := helper(t, "fill the disk", t.TempDir())
	cmd.Stderr = nil
	inOwnMounts(t, cmd)
}

func fillTheDisk(home string) error {
	if err := syscall.Mount("none", home, "tmpfs", 0, "size=256k"); err != nil {
		return err
	}
	h := Open(home, now)
	profile := h.Profile("default")
	if err := errors.Join(h.Lifetime().Add(someTurn), profile.Chat().Append(ChatEntry{Role: "you", Text: "first"})); err != nil {
		return err
	}
	for err := error(nil); err == nil; { // one page after the other until there is none
		err = appendTo(filepath.Join(home, "ballast"), make([]byte, 4096))
	}
	long := ChatEntry{Role: "you", Text: strings.Repeat("second", 2000)}
	for name, err := range map[string]error{"usage": h.Lifetime().Add(someTurn), "chat log": profile.Chat().Append(long)} {
		if !errors.Is(err, syscall.ENOSPC) {
			return errors.New(name + ": saving on a full disk says " + errorText(err))
		}
	}
	usage, err := h.Lifetime().Usage()
	if err != nil || usage.Turns != 1 {
		return errors.New("usage did not survive: " + errorText(err))
	}
	log, err := profile.Chat().Tail(5)
	if err != nil || len(log) != 1 || log[0].Text != "first" {
		return errors.New("the log did not survive: " + errorText(err))
	}
	if err := os.Remove(filepath.Join(home, "ballast")); err != nil {
		return err
	}
	return errors.Join(h.Lifetime().Add(someTurn), profile.Chat().Append(long))
}

func TestReadOnlyHomeReadsAndSaysThatItCannotWrite(t *testing.T) {
	home := t.TempDir()
	must(t, Open(home, now).Lifetime().Add(someTurn))
	cmd := helper(t, "read-only disk", home)
	cmd.Stderr = nil
	inOwnMounts(t, cmd)
}

func readOnlyDisk(home string) error {
	if err := syscall.Mount(home, home, "", syscall.MS_BIND, ""); err != nil {
		return err
	}
	if err := syscall.Mount("", home, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		return err
	}
	h := Open(home, now)
	if usage, err := h.Lifetime().Usage(); err != nil || usage.Turns != 1 {
		return errors.New("reading: " + errorText(err))
	}
	for _, err := range []error{h.Lifetime().Add(someTurn), h.Profile("new").Chat().Append(ChatEntry{Role: "you", Text: "hello"})} {
		if !errors.Is(err, syscall.EROFS) || !strings.Contains(err.Error(), home) {
			return errors.New("writing: " + errorText(err))
		}
	}
	return nil
}

func TestAFullDiskLosesNothingThatIsKeptOfFiles(t *testing.T) {
	cmd := helper(t, "keep on a full disk", t.TempDir())
	cmd.Stderr = nil
	inOwnMounts(t, cmd)
}

func keepOnAFullDisk(home string) error {
	if err := syscall.Mount("none", home, "tmpfs", 0, "size=256k"); err != nil {
		return err
	}
	u := Open(home, now).Undo("one")
	add := func(content string) (UndoRecord, error) {
		records := []UndoRecord{{Kind: UndoWrite, Name: "a"}}
		err := u.Add(records, [][]byte{[]byte(content)})
		return records[0], err
	}
	if _, err := add("first"); err != nil {
		return err
	}
	for err := error(nil); err == nil; {
		err = appendTo(filepath.Join(home, "ballast"), make([]byte, 4096))
	}
	lost, err := add(strings.Repeat("second", 20_000))
	if !errors.Is(err, syscall.ENOSPC) || lost.Lost == "" {
		return fmt.Errorf("on a full disk it says %v and notes %q", err, lost.Lost)
	}
	if err := os.Remove(filepath.Join(home, "ballast")); err != nil {
		return err
	}
	if _, err := add("third"); err != nil {
		return err
	}
	again := Open(home, now).Undo("one")
	for _, content := range []string{"first", "third"} {
		if _, err := again.Content(UndoHash([]byte(content))); err != nil {
			return fmt.Errorf("%s: %w", content, err)
		}
	}
	return nil
}
