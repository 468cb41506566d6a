package sessionlog

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/disktest"
	"marvin/persistence/sessions"
)

func TestRecordsAreWrittenOnceDiskHasRoom(t *testing.T) {
	if home := os.Getenv("FULL_DISK"); home != "" {
		if err := syscall.Mount("none", home, "tmpfs", 0, "size=256k"); err != nil {
			t.Fatal(err)
		}
		onAFullDisk(t, home)
		return
	}
	child := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), "FULL_DISK="+t.TempDir())
	child.SysProcAttr = disktest.OwnMounts()
	output, err := child.CombinedOutput()
	if disktest.NoMounts(err) {
		t.Skipf("user namespaces are not available on this machine: %v", err)
	}
	if err != nil {
		t.Errorf("%v: %s", err, output)
	}
}

func onAFullDisk(t *testing.T, home string) {
	store := sessions.New(persistence.Open(home, time.Now))
	ballast := filepath.Join(home, "ballast")
	full := func(is bool) {
		t.Helper()
		err := os.Remove(ballast)
		if is {
			err = os.WriteFile(ballast, make([]byte, 1<<20), 0o600)
		}
		if is != errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
	log := New(store, sessions.Header{Dir: "/d"}, "trip", time.Now)
	said := func(text string, want error) {
		t.Helper()
		step := BeginRecord("t"+text, messages.Message{Role: messages.User, Text: text + strings.Repeat(" and so on", 1000)}, State{})
		err := log.Add(true, func(text string) string { return text }, step)
		if !errors.Is(err, want) || err != nil && !strings.HasSuffix(err.Error(), "; Marvin will save the entry together with the next one") {
			t.Fatalf("%s: %v", text, err)
		}
	}
	full(true)
	said("one", syscall.ENOSPC) // it could not even begin
	full(false)
	said("two", nil)
	full(true)
	said("three", syscall.ENOSPC)
	long := BeginRecord("long", messages.Message{Role: messages.User, Text: strings.Repeat("long", mostHeld/4)}, State{})
	if err := log.Add(true, func(text string) string { return text }, long); err == nil || !strings.HasSuffix(err.Error(), " until space is free") {
		t.Errorf("more than can be held: %v", err)
	}
	if _, err := log.GoTo(0); !errors.Is(err, ErrUnwritten) {
		t.Errorf("another branch is taken with %v", err)
	}
	full(false)
	if _, err := log.GoTo(0); err != nil {
		t.Fatal(err)
	}
	full(true)
	said("four", syscall.ENOSPC)
	full(false)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	list, err := store.List()
	if err != nil || len(list) != 1 || list[0].Name != "trip" {
		t.Fatalf("%+v, %v", list, err)
	}
	tree, err := Tree(store, list[0].ID, -1)
	if err != nil {
		t.Fatal(err)
	}
	shape := ""
	for _, turn := range tree.Turns {
		if turn.Parent == 0 {
			shape += "|"
		}
		shape += turn.Prompt[:strings.IndexByte(turn.Prompt, ' ')] + " "
	}
	if shape != "|one two three |four " {
		t.Errorf("kept are %s", shape)
	}
}
