package persistence

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"marvin/persistence/chat"
	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
	"marvin/persistence/spending"
	"marvin/persistence/undolog"
)

func init() {
	storetest.Helpers["fill the disk"] = fillTheDisk
	storetest.Helpers["keep on a full disk"] = keepOnAFullDisk
	storetest.Helpers["read-only disk"] = readOnlyDisk
}

func TestSaveOnAFullDiskKeepsTheOldFile(t *testing.T) {
	cmd := storetest.Helper(t, "fill the disk", t.TempDir())
	cmd.Stderr = nil
	storetest.InOwnMounts(t, cmd)
}

func fillTheDisk(home string) error {
	if err := syscall.Mount("none", home, "tmpfs", 0, "size=256k"); err != nil {
		return err
	}
	h := Open(home, storetest.Now)
	profile := h.Profile("default")
	if err := errors.Join(spending.Of(h).Add(someTurn), chat.New(profile).Append(chat.Entry{Role: "you", Text: "first"})); err != nil {
		return err
	}
	for err := error(nil); err == nil; { // one page after the other until there is none
		err = store.AppendTo(filepath.Join(home, "ballast"), make([]byte, 4096))
	}
	long := chat.Entry{Role: "you", Text: strings.Repeat("second", 2000)}
	for name, err := range map[string]error{"usage": spending.Of(h).Add(someTurn), "chat log": chat.New(profile).Append(long)} {
		if !errors.Is(err, syscall.ENOSPC) {
			return errors.New(name + ": saving on a full disk says " + storetest.ErrorText(err))
		}
	}
	usage, err := spending.Of(h).Usage()
	if err != nil || usage.Turns != 1 {
		return errors.New("usage did not survive: " + storetest.ErrorText(err))
	}
	log, err := chat.New(profile).Tail(5)
	if err != nil || len(log) != 1 || log[0].Text != "first" {
		return errors.New("the log did not survive: " + storetest.ErrorText(err))
	}
	if err := os.Remove(filepath.Join(home, "ballast")); err != nil {
		return err
	}
	return errors.Join(spending.Of(h).Add(someTurn), chat.New(profile).Append(long))
}

func TestReadOnlyHomeReadsAndSaysThatItCannotWrite(t *testing.T) {
	home := t.TempDir()
	storetest.Must(t, spending.Of(Open(home, storetest.Now)).Add(someTurn))
	cmd := storetest.Helper(t, "read-only disk", home)
	cmd.Stderr = nil
	storetest.InOwnMounts(t, cmd)
}

func readOnlyDisk(home string) error {
	if err := syscall.Mount(home, home, "", syscall.MS_BIND, ""); err != nil {
		return err
	}
	if err := syscall.Mount("", home, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		return err
	}
	h := Open(home, storetest.Now)
	if usage, err := spending.Of(h).Usage(); err != nil || usage.Turns != 1 {
		return errors.New("reading: " + storetest.ErrorText(err))
	}
	for _, err := range []error{spending.Of(h).Add(someTurn), chat.New(h.Profile("new")).Append(chat.Entry{Role: "you", Text: "hello"})} {
		if !errors.Is(err, syscall.EROFS) || !strings.Contains(err.Error(), home) {
			return errors.New("writing: " + storetest.ErrorText(err))
		}
	}
	return nil
}

func TestAFullDiskLosesNothingThatIsKeptOfFiles(t *testing.T) {
	cmd := storetest.Helper(t, "keep on a full disk", t.TempDir())
	cmd.Stderr = nil
	storetest.InOwnMounts(t, cmd)
}

func keepOnAFullDisk(home string) error {
	if err := syscall.Mount("none", home, "tmpfs", 0, "size=256k"); err != nil {
		return err
	}
	u := undolog.Of(Open(home, storetest.Now), "one")
	add := func(content string) (undolog.Record, error) {
		records := []undolog.Record{{Kind: undolog.Write, Name: "a"}}
		err := u.Add(records, [][]byte{[]byte(content)})
		return records[0], err
	}
	if _, err := add("first"); err != nil {
		return err
	}
	for err := error(nil); err == nil; {
		err = store.AppendTo(filepath.Join(home, "ballast"), make([]byte, 4096))
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
	again := undolog.Of(Open(home, storetest.Now), "one")
	for _, content := range []string{"first", "third"} {
		if _, err := again.Content(undolog.Hash([]byte(content))); err != nil {
			return fmt.Errorf("%s: %w", content, err)
		}
	}
	return nil
}
