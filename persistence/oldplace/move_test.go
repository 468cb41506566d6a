package oldplace_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/persistence/oldplace"
)

// user creates a home directory with files, given by their relative paths.
func user(t *testing.T, files map[string]string) oldplace.Places {
	t.Helper()
	home := t.TempDir()
	for name, text := range files {
		path := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return oldplace.Places{Home: home}
}

// has checks that files with these texts exist.
func has(t *testing.T, p oldplace.Places, files map[string]string) {
	t.Helper()
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(p.Home, name)); err != nil || string(got) != want {
			t.Errorf("%s has %q, %v", name, got, err)
		}
	}
}

func TestTheOldDirectoryMovesOnceAndItsNameStillWorks(t *testing.T) {
	for _, xdg := range []string{"", "x"} {
		p, to := user(t, map[string]string{".config/local-finder/config.yaml": "theme: nord\n", ".config/local-finder/profiles/alex/chat_log.json": "[]", ".config/local-finder/marvin.log": "{}\n", ".marvin/instructions/p.md": "be brief\n"}), ".config/marvin/"
		if xdg != "" {
			p.Config, to = filepath.Join(p.Home, xdg), "x/marvin/"
		}
		if said := p.Settle(); len(said) != 2 || !strings.HasPrefix(said[0], "~/.config/local-finder is now ~/"+strings.TrimSuffix(to, "/")) {
			t.Errorf("said %q", said)
		}
		has(t, p, map[string]string{
			to + "config.yaml": "theme: nord\n", ".config/local-finder/config.yaml": "theme: nord\n", to + "profiles/alex/chat_log.json": "[]",
			".local/state/marvin/marvin.log": "{}\n", to + "instructions/p.md": "be brief\n", ".marvin/instructions/p.md": "be brief\n",
		})
		old := filepath.Join(p.Home, ".config/local-finder") // another program replaces a file there
		if err := errors.Join(os.WriteFile(old+"/new", []byte("other\n"), 0o600), os.Rename(old+"/new", old+"/config.yaml")); err != nil {
			t.Error(err)
		}
		has(t, p, map[string]string{to + "config.yaml": "other\n"})
		if said := p.Settle(); said != nil {
			t.Errorf("the second start says %q", said)
		}
		if got := p.Open(time.Now).State; got != filepath.Join(p.Home, to) {
			t.Errorf("it is at %s", got)
		}
	}
}

func TestTheLinkOfTheOldNameIsNoPlaceOfItsOwn(t *testing.T) {
	p := user(t, map[string]string{".config/marvin/tools/five/tool.yaml": "name: five\n"})
	p.Settle()
	if got := p.Open(time.Now).State; got != filepath.Join(p.Home, ".config/marvin") {
		t.Errorf("it is at %s", got)
	}
}

func TestNothingIsLostWhereBothPlacesHaveFiles(t *testing.T) {
	p := user(t, map[string]string{
		".config/marvin/AGENTS.md": "mine", ".config/marvin/config.yaml": "new", ".config/marvin/profiles/a/x": "1", ".config/marvin/same": "s",
		".config/local-finder/config.yaml": "old", ".config/local-finder/profiles/a/x": "2", ".config/local-finder/profiles/a/y": "3", ".config/local-finder/usage.json": "{}", ".config/local-finder/same": "s",
	})
	said := strings.Join(p.Settle(), "\n")
	if !strings.Contains(said, "Both had config.yaml, profiles/a/x: ") || strings.Contains(said, "same") {
		t.Errorf("said %q", said)
	}
	has(t, p, map[string]string{
		".config/marvin/AGENTS.md": "mine", ".config/marvin/config.yaml": "new", ".config/marvin/profiles/a/x": "1", ".config/marvin/profiles/a/y": "3", ".config/local-finder/usage.json": "{}",
		".config/marvin/local-finder-left/config.yaml": "old", ".config/marvin/local-finder-left/profiles/a/x": "2",
	})
}

func TestAMoveThatWasKilledIsFinished(t *testing.T) {
	p := user(t, map[string]string{".config/marvin/config.yaml": "moved"})
	if err := os.Symlink("marvin", filepath.Join(p.Home, ".config/.local-finder.moving")); err != nil {
		t.Fatal(err)
	}
	if said := p.Settle(); len(said) != 1 {
		t.Errorf("said %q", said)
	}
	has(t, p, map[string]string{".config/local-finder/config.yaml": "moved"})
}

// An old place that cannot be moved stays in use, and so does a link that the user made.
func TestOldPlaceThatCannotMoveIsUsed(t *testing.T) {
	p := user(t, map[string]string{"dotfiles/config.yaml": "x", ".config/other": ""})
	if err := os.Symlink("../dotfiles", filepath.Join(p.Home, ".config/local-finder")); err != nil {
		t.Fatal(err)
	}
	if said := p.Settle(); said != nil || p.Open(time.Now).State != filepath.Join(p.Home, ".config/local-finder") {
		t.Errorf("said %q, at %s", said, p.Open(time.Now).State)
	}
	if _, err := os.Lstat(filepath.Join(p.Home, ".config/marvin")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("it made the new place")
	}
}

// Several processes start at the same time, and some of them are killed. Everything is moved
// exactly once.
func TestProcessesThatMoveAtTheSameTime(t *testing.T) {
	if home := os.Getenv("MOVES_HOME"); home != "" {
		_ = oldplace.Places{Home: home}.Settle()
		return
	}
	files := map[string]string{}
	for _, name := range strings.Fields("a b c d e f g h i j k l m n o p q r s t") {
		files[".config/local-finder/profiles/"+name+"/chat_log.json"] = name
	}
	for round := range 6 {
		p := user(t, files)
		if round%2 == 1 { // then it goes file by file
			if err := os.MkdirAll(filepath.Join(p.Home, ".config/marvin/profiles/a"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		var all sync.WaitGroup
		for n := range 4 {
			child := exec.Command(os.Args[0], "-test.run=TestProcessesThatMoveAtTheSameTime$")
			child.Env = append(os.Environ(), "MOVES_HOME="+p.Home)
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			if n == 0 {
				_ = child.Process.Kill()
			}
			all.Go(func() { _ = child.Wait() })
		}
		all.Wait()
		p.Settle()
		for name, text := range files {
			has(t, p, map[string]string{name: text, strings.Replace(name, "local-finder", "marvin", 1): text})
		}
	}
}
