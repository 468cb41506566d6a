package jail

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools/internal/jail/internal/disk"
)

func TestThePrivateDirectoryOfEachMarvin(t *testing.T) {
	in := t.TempDir()
	first, err := newTempDir(in, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(first.path); err != nil || info.Mode().Perm() != 0o700 || filepath.Dir(first.path) != first.whole || !strings.HasPrefix(filepath.Base(first.whole), tempPrefix) {
		t.Errorf("%s: %v, %v", first.path, info, err)
	}
	if othersEnded(first.whole) {
		t.Error("alone it is said that another ended")
	}
	left := filepath.Join(in, tempPrefix+"left")
	if err := errors.Join(os.MkdirAll(filepath.Join(left, tempName), 0o700), os.MkdirAll(filepath.Join(in, tempPrefix+"new"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(left, "lock"), nil, 0o600), os.WriteFile(filepath.Join(in, "other"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if !othersEnded(first.whole) {
		t.Error("no one sees that another ended")
	}
	second, err := newTempDir(in, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{left: false, first.whole: true, filepath.Join(in, tempPrefix+"new"): true, filepath.Join(in, "other"): true} {
		if disk.Exists(path) != want {
			t.Errorf("%s is there: %v", path, !want)
		}
	}
	if othersEnded(first.whole) {
		t.Error("a Marvin that lives is said to have ended")
	}
	if err := errors.Join(first.remove(), second.remove()); err != nil || disk.Exists(first.whole) || disk.Exists(second.whole) {
		t.Errorf("they are left, %v", err)
	}
	if _, err := newTempDir(filepath.Join(in, "none"), func(string) {}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("where there is no place: %v", err)
	}
	if _, err := newTempDir(filepath.Join(in, "other"), func(string) {}); err == nil {
		t.Error("it is made in a file")
	}
	sweep(filepath.Join(in, "none"), func(string) {})
	sweep(filepath.Join(in, "other"), func(string) {})
	if !othersEnded(filepath.Join(in, "none", "x")) {
		t.Error("where nothing can be seen no one ended")
	}
	k := NewKeeper(Config{Temp: filepath.Join(in, "none")})
	if _, err := k.Jail(in); err == nil || !strings.HasPrefix(err.Error(), "make the private temporary directory: ") {
		t.Errorf("%v", err)
	}
	k.Settle()
	(*Keeper)(nil).Settle()
}
