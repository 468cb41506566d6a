package jail

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/tools/internal/jail/internal/sockets"
)

func TestOpenedPaths(t *testing.T) {
	dir := t.TempDir()
	k := NewKeeper(Config{Readable: []string{"~/a/../b", "$OPEN", "$NONE", "/c/", "relative", "~x"}, Environ: []string{"OPEN=~/d", "NONE="}})
	for home, want := range map[string]string{"/h": "/h/b /h/d /c", "": "/c"} {
		if got := strings.Join(k.readable(home), " "); got != want {
			t.Errorf("in %q open are %s, want %s", home, got, want)
		}
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, ".config", "gh"), 0o755), os.WriteFile(filepath.Join(dir, ".netrc"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	there := listHome(dir)
	for name, want := range map[string]bool{".netrc": true, ".netrc/x": true, ".config/gh": true, ".config/gh/hosts": true, ".config/hub": false, ".aws": false, ".config": false} {
		if there(name) != want {
			t.Errorf("%s can be there: %v", name, !want)
		}
	}
}

func TestHiddenPathsAroundOpenOnes(t *testing.T) {
	k, home := scene{files: "secret/a/x=1 secret/a/y=2 secret/b=3 project/keys/k=1 other=x"}.keeperOf(t)
	in := func(name string) string { return filepath.Join(home, name) }
	for _, row := range []struct {
		what   string
		root   string
		open   string
		add    string
		may    bool
		hidden string
	}{
		{"a directory", "project", "", "secret", true, "secret"},
		{"what is not there", "project", "", "none", true, ""},
		{"one that is open", "project", "secret", "secret", true, ""},
		{"one above which is open", "project", "secret", "secret/a", true, ""},
		{"one that nobody opens", "project", "secret", "secret", false, "secret"},
		{"one in which something is open", "project", "secret/a/x", "secret", true, "secret/a/y secret/b"},
		{"the same, which nobody opens", "project", "secret/a/x", "secret", false, "secret"},
		{"one in which the user works", "secret/a", "", "secret", false, "secret/b"},
		{"where the user works", "secret/a", "", "secret/a", false, ""},
		{"below where the user works", "project", "", "project/keys", false, "project/keys"},
		{"a file", "project", "", "other", true, "other"},
		{"a name that begins alike", "project", "oth", "other", true, "other"},
	} {
		h := hiding{jail: &Jail{keeper: k, plan: plan{Root: in(row.root)}}, home: home}
		if row.open != "" {
			h.open = []string{in(row.open)}
		}
		h.add(in(row.add), row.may)
		h.add(in(row.add), row.may) // adding twice has no further effect
		var got []string
		for _, path := range h.paths {
			got = append(got, strings.TrimPrefix(path, home+"/"))
		}
		if all := strings.Join(got, " "); all != row.hidden {
			t.Errorf("%s: %s, want %s", row.what, all, row.hidden)
		}
	}
}

// A socket in a command's writable trees is its own, and sockets that only look up names may be
// used.
func TestWhoseASocketIs(t *testing.T) {
	k, home := scene{files: "project/x=1 run/s=1"}.keeperOf(t)
	for _, row := range []struct {
		root, path string
		own        bool
	}{
		{"/p", "/p/s", true},
		{"/p", "/q/s", false},
		{"/p", k.temp.path + "/s", true},
		{"/p", "/tmp/s", true},
		{"/tmp/top/p", "/tmp/top/other", false},
		{"/tmp/top/p", "/tmp/top/p/s", true},
		{"/tmp/top/p", "/tmp/else/s", true},
		{"/p", "/tmpx/s", false},
	} {
		j := &Jail{keeper: k, plan: plan{Root: row.root, Write: []string{row.root}, Temp: k.temp.path}}
		if j.hasSocket(row.path) != row.own {
			t.Errorf("%s is that of commands in %s: %v", row.path, row.root, !row.own)
		}
	}
	if topOf("/tmp/a/b") != "a" || topOf("/tmp/a") != "a" {
		t.Errorf("%s, %s", topOf("/tmp/a/b"), topOf("/tmp/a"))
	}
	for _, offline := range []bool{false, true} {
		h := hiding{jail: &Jail{keeper: k, plan: plan{Root: filepath.Join(home, "project"), Offline: offline}}, oneRun: true}
		for _, path := range []string{"/run/nscd/socket", "/run/systemd/userdb/io.x", "/run/systemd/userdb/a/b", filepath.Join(home, "run")} {
			h.addSocket(path)
		}
		if want := []string{filepath.Join(home, "run")}; !offline && !slices.Equal(h.paths, want) {
			t.Errorf("hidden are %q", h.paths)
		}
	}
	socket := filepath.Join(home, "run", "x.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	if !slices.Contains(sockets.ReadTable().Paths, socket) {
		t.Errorf("nobody listens at %s", socket)
	}
	named := NewKeeper(Config{Environ: []string{"DOCKER_HOST=unix://" + socket, "A=" + home + "/run/s," + socket, "B=x.sock", "C"}})
	for range 2 {
		if got := named.named(); len(got) != 2 || got[0] != socket || got[1] != socket {
			t.Errorf("variables name %q", got)
		}
	}
}
