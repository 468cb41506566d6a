package placeholder

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/tools/internal/jail/internal/disk"
)

// Placeholders are recognized by their content, and removed only if they are unchanged.
func TestAbsentNames(t *testing.T) {
	dir := t.TempDir()
	file, empty := Absence{filepath.Join(dir, "config"), "\n"}, Absence{filepath.Join(dir, "hooks"), ""}
	for _, one := range []Absence{file, empty} {
		if one.Intact() {
			t.Errorf("%s is there before it is made", one.Path)
		}
		if err := one.create(); err != nil || !one.Intact() {
			t.Errorf("%s was made: %v", one.Path, err)
		}
		if err := one.create(); !errors.Is(err, os.ErrExist) {
			t.Errorf("%s is made twice: %v", one.Path, err)
		}
		if got := parseRecord(one.record()); !slices.Equal(got, []Absence{one}) {
			t.Errorf("%s is written down as %q", one.Path, one.record())
		}
	}
	inside := filepath.Join(empty.Path, "pre-commit")
	if err := errors.Join(os.WriteFile(inside, nil, 0o644), os.WriteFile(file.Path, []byte("x"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, one := range []Absence{file, empty} {
		if one.remove(); one.Intact() || !disk.Exists(one.Path) {
			t.Errorf("%s is not as it was made: there %v", one.Path, one.Intact())
		}
	}
	if err := errors.Join(os.Remove(inside), os.WriteFile(file.Path, []byte("\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, one := range []Absence{file, empty} {
		if one.remove(); disk.Exists(one.Path) {
			t.Errorf("%s is left", one.Path)
		}
	}
	for text, want := range map[string]int{"": 0, "0 \"/a\"\n2 \"/b\"\n": 2, "3 \"/a\"": 0, "-1 \"/a\"": 0, "x \"/a\"": 0, "0 /a": 0, "0 \"a\"": 0, "1 \"/a b\" ": 1} {
		if got := parseRecord(text); len(got) != want {
			t.Errorf("%q records %+v", text, got)
		}
	}
	if err := os.Mkdir(file.Path, 0o755); err != nil {
		t.Fatal(err)
	}
	if SaysNothing(file.Path, "\n") || SaysNothing(dir, "") || (Absence{filepath.Join(dir, "none"), ".\n"}).Intact() {
		t.Error("what is something says nothing")
	}
}

func TestNamesStayAsLongAsTheyAreNeeded(t *testing.T) {
	dir := t.TempDir()
	one, other := Absence{filepath.Join(dir, "config"), "\n"}, Absence{filepath.Join(dir, "hooks"), ""}
	h := &Table{book: filepath.Join(t.TempDir(), "made")}
	for range 2 {
		if err := h.Take([]Absence{one, other}); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(h.book); err != nil || string(text) != one.record()+other.record() {
		t.Errorf("the book says %q, %v", text, err)
	}
	h.Leave([]Absence{one, {Path: "/never/taken"}, other}, false, true)
	if !one.Intact() || !other.Intact() {
		t.Error("a name went that is needed")
	}
	second, err := os.Open(dir)
	if err != nil || !disk.Share(second) {
		t.Fatal(err)
	}
	if h.Leave([]Absence{one, other}, false, true); !one.Intact() {
		t.Error("a name went that another Marvin needs")
	}
	disk.Release(second)
	if err := h.Take([]Absence{one, other}); err != nil {
		t.Fatal(err)
	}
	if h.Leave([]Absence{one, other}, false, true); disk.Exists(one.Path) || disk.Exists(other.Path) {
		t.Error("a name stays that no one needs")
	}
	lost := Absence{filepath.Join(dir, "none", "config"), "\n"}
	if err := h.Take([]Absence{one, lost}); err == nil || !strings.HasPrefix(err.Error(), "protect "+lost.Path+", which does not exist: ") || disk.Exists(one.Path) {
		t.Errorf("where none can be made: %v, the others stay: %v", err, disk.Exists(one.Path))
	}
	long := Absence{filepath.Join(dir, strings.Repeat("x", 300)), "\n"} // the directory exists, but the name is too long
	if err := h.Take([]Absence{one, long}); err == nil || disk.Exists(one.Path) {
		t.Errorf("a name that cannot be: %v, the others stay: %v", err, disk.Exists(one.Path))
	}
	if err := (&Table{book: filepath.Join(dir, "none", "made")}).Take([]Absence{one}); err == nil || disk.Exists(one.Path) {
		t.Errorf("what cannot be written down is made: %v", err)
	}
	if err := h.Take([]Absence{one}); err != nil {
		t.Fatal(err)
	}
	if h.Abandon(); h.held != nil || !one.Intact() {
		t.Error("what is abandoned went, or is held")
	}
	if !Discard(h.book) || disk.Exists(one.Path) {
		t.Error("what the book says is left")
	}
	if Discard(dir) || !Discard(filepath.Join(dir, "no book")) {
		t.Error("a book that cannot be read says nothing")
	}
}

// Settle waits for ended commands, once.
func TestCommandsThatAreOverAreWaitedFor(t *testing.T) {
	var ends unsettled
	done, waits := make(chan struct{}), make(chan struct{})
	close(done)
	for _, one := range []chan struct{}{done, done, waits, done} {
		ends.add(one)
	}
	if len(ends.all) != 2 || closed(waits) || !closed(done) {
		t.Errorf("%d ends are kept", len(ends.all))
	}
	h := Table{}
	h.SettleLater(done)
	h.Settle()
}

// Mount points are unescaped.
func TestMountPointsHaveTheirNames(t *testing.T) {
	table := "36 35 98:0 /mnt1 /mnt/a\\040b rw\n37 35 98:0 / /c\\011\\012\\134d rw\nshort line of four\n"
	points := MountPoints([]byte(table))
	for _, want := range []string{"/mnt/a b", "/c\t\n\\d"} {
		if !points[want] {
			t.Errorf("%q is no mount: %v", want, points)
		}
	}
	if len(points) != 2 || len(MountPoints(nil)) != 0 {
		t.Errorf("%v", points)
	}
}
