package box

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"marvin/tools/internal/protected"
)

// This function returns a guard with places that are never written.
func never(places ...string) Guard {
	return Guard{Data: func() protected.Locations { return protected.Locations{Marvin: places} }}
}

// openGuarded opens a directory with places that are never written.
func openGuarded(t *testing.T, root, dir string, places ...string) *Dir {
	t.Helper()
	opened, err := OpenIn(root, dir, never(places...))
	must(t, err)
	t.Cleanup(func() { _ = opened.Close() })
	return opened
}

// S-6, S-8: guarded places are not written by any name, from any open directory, even if they do
// not exist.
func TestGuardedPlacesAreNotWrittenByAnyName(t *testing.T) {
	home := tree(t, map[string]string{"dotfiles/bashrc": "", "dotfiles/other": "", ".ssh/config": "", "src/main.go": "", ".profile": ""})
	must(t, os.Symlink("dotfiles/bashrc", filepath.Join(home, ".bashrc")))
	must(t, os.Symlink(".ssh", filepath.Join(home, "keys")))
	must(t, os.Link(filepath.Join(home, ".profile"), filepath.Join(home, "src", "profile")))
	must(t, os.Link(filepath.Join(home, ".ssh", "config"), filepath.Join(home, "src", "settings")))
	var places []string
	for _, name := range []string{".bashrc", ".profile", ".zshrc", ".ssh", ".config/autostart"} {
		places = append(places, filepath.Join(home, name))
	}
	dir := openGuarded(t, home, home, places...)
	for _, name := range []string{
		".bashrc", "dotfiles/bashrc", ".zshrc", ".ZSHRC", ".zshrc.", "src/../.zshrc", ".ssh/authorized_keys", ".SSH/x", "keys/config", "src/profile", "src/settings",
		".config/autostart/x.desktop", ".config/Autostart/deep/x",
	} {
		if err := write(dir, name, "touch PWNED\n"); !errors.Is(err, ErrProtected) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := dir.Mkdir(name + "/d"); err == nil {
			t.Errorf("a directory was made in %s", name)
		}
	}
	for _, name := range []string{"src/new.go", "dotfiles/other2", ".config/other/x", "src/.zshrc", ".sshx"} {
		if err := write(dir, name, "text\n"); err != nil {
			t.Errorf("%s belongs to no one else: %v", name, err)
		}
	}
	inside := openGuarded(t, home, filepath.Join(home, ".ssh"), places...)
	if err := write(inside, "authorized_keys", "x"); !errors.Is(err, ErrProtected) {
		t.Errorf("a working directory that is guarded: %v", err)
	}
	sub, err := dir.Sub("Notes", "dotfiles", false)
	must(t, err)
	defer func() { _ = sub.Close() }()
	if err := write(sub, "bashrc", "x"); !errors.Is(err, ErrProtected) {
		t.Errorf("from a directory below: %v", err)
	}
	if content, err := os.ReadFile(filepath.Join(home, ".bashrc")); err != nil || len(content) != 0 {
		t.Errorf("%q, %v", content, err)
	}
}

// A repository's directory may have any name, and git obeys the files in it.
func TestNoRepositoryIsMadeOrWrittenByFileTools(t *testing.T) {
	root := tree(t, map[string]string{
		"bare/HEAD": "ref: refs/heads/main\n", "bare/objects/": "", "bare/refs/": "", "bare/hooks/": "",
		"half/HEAD": "ref: refs/heads/main\n", "half/objects/": "", "lib/HEAD": "", ".git/hooks/": "", "src/objects/": "",
	})
	dir := openGuarded(t, root, root)
	for _, name := range []string{"bare/config", "bare/hooks/pre-commit", "bare/info/attributes", "half/refs/heads/main", "half/Refs/x"} {
		if err := write(dir, name, "x"); !errors.Is(err, ErrProtected) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"half/config", "lib/refs/x", "src/HEAD", "config", "hooks/x"} {
		if err := write(dir, name, "x"); err != nil {
			t.Errorf("%s is in no repository: %v", name, err)
		}
	}
	for _, below := range []string{"bare", "bare/hooks", ".git/hooks"} {
		if err := write(openGuarded(t, root, filepath.Join(root, below)), "config", "x"); !errors.Is(err, ErrProtected) {
			t.Errorf("with %s as the working directory: %v", below, err)
		}
	}
}

// The directories between the root and the working directory are checked when it is opened: a
// replaced one does not lead outside.
func TestTheWorkingDirectoryStaysBelowItsRoot(t *testing.T) {
	root, outside := tree(t, map[string]string{"sub/deep/a": "inside"}), tree(t, map[string]string{"deep/a": "outside"})
	dir := filepath.Join(root, "sub", "deep")
	if real, inside, err := ResolveBelow(root, dir); real != dir || !inside || err != nil {
		t.Errorf("%s, %t, %v", real, inside, err)
	}
	must(t, os.Rename(filepath.Join(root, "sub"), filepath.Join(root, "was")))
	must(t, os.Symlink(outside, filepath.Join(root, "sub")))
	if opened, err := OpenIn(root, dir, Guard{}); err == nil {
		content, _ := readFile(opened, "a")
		t.Errorf("it was opened: %q", content)
	}
	if real, inside, err := ResolveBelow(root, dir); inside || err != nil || real != filepath.Join(outside, "deep") {
		t.Errorf("%s, %t, %v", real, inside, err)
	}
	for _, name := range []string{"was/deep/a", "none"} {
		if _, _, err := ResolveBelow(root, filepath.Join(root, name)); err == nil {
			t.Errorf("%s is taken for a directory", name)
		}
	}
	if _, inside, err := ResolveBelow("", outside); inside || err != nil {
		t.Errorf("without a root: %t, %v", inside, err)
	}
	must(t, os.Mkdir(root+"x", 0o700))
	if _, inside, err := ResolveBelow(root, root+"x"); inside || err != nil {
		t.Errorf("a name that only begins like the root: %t, %v", inside, err)
	}
}
