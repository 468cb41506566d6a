package jail_test

import (
	stdcontext "context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/persistence/disktest"
	"marvin/tools/internal/jail"
	"marvin/tools/internal/proc"
)

func context() stdcontext.Context { return stdcontext.Background() }

// place is a home directory with a project, and outside files that must not change.
type place struct {
	base, home, root, state string
	environ                 []string
	keeper                  *jail.Keeper
}

func newPlace(t *testing.T, mode jail.Mode) *place {
	t.Helper()
	base, err := os.MkdirTemp("", "p") // the path of a socket below it has room for 107 bytes
	if err := errors.Join(err, os.Chmod(base, 0o755)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(base); err != nil {
			t.Error(err)
		}
	})
	p := newPlaceIn(t, base, mode)
	p.keeper.ShareFinder()
	return p
}

func newPlaceIn(t *testing.T, base string, mode jail.Mode) *place {
	t.Helper()
	p := &place{base: base, home: base + "/home", root: base + "/home/project", state: base + "/home/.config/marvin"}
	for path, content := range map[string]string{
		"home/project/main.txt":           "mine\n",
		"home/.bashrc":                    "# rc\n",
		"home/.ssh/id_ed25519":            "ssh key\n",
		"home/.ssh/GEMINI_API_KEY":        "canary-key\n",
		"home/.config/marvin/tokens.json": "canary-token\n",
		"outside.txt":                     "outside\n",
		"run/keep":                        "",
	} {
		path = filepath.Join(base, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(base+"/victim", 0o755); err != nil {
		t.Fatal(err)
	}
	p.environ = append(os.Environ(), "HOME="+p.home, "BASE="+base, "SELF="+self(t, base), "OUT="+itoa(os.Getpid()), "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=e", "GIT_COMMITTER_NAME=n", "GIT_COMMITTER_EMAIL=e", "XDG_RUNTIME_DIR="+base+"/run", "GOFLAGS=-mod=mod "+os.Getenv("GOFLAGS"), "GOTOOLCHAIN=local", "MARVIN_PASS_ENV=*")
	if cache, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" { // a warm cache, outside the test's home directory
		p.environ = append(p.environ, "GOCACHE="+cache+"/go-build")
	}
	p.keeper = jail.NewKeeper(jail.Config{Mode: mode, Home: p.home, State: p.state, Environ: p.environ})
	t.Cleanup(func() {
		if err := p.keeper.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// self returns a copy of this binary, at a path that the jail shows.
func self(t *testing.T, base string) string {
	t.Helper()
	path := filepath.Join(base, "attacker")
	if err := os.Link(os.Args[0], path); err != nil {
		content, err := os.ReadFile(os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := disktest.WriteProgram(path, content, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

func itoa(n int) string { return strconv.Itoa(n) }

// patience is the time limit of a command. It is generous because a compiler on a busy machine
// needs a while.
const patience = 5 * time.Minute

// run runs a line in the project, in the jail or outside it.
func (p *place) run(t *testing.T, inside bool, line string) proc.Result {
	t.Helper()
	command := proc.Command{Shell: line, Dir: p.root, Environ: p.environ}
	if inside {
		cell, err := p.keeper.Jail(p.root)
		if err != nil {
			t.Fatal(err)
		}
		command.Jail = cell
	}
	ctx, stop := stdcontext.WithTimeout(t.Context(), patience)
	defer stop()
	result, err := proc.Run(ctx, command)
	if errors.Is(err, jail.ErrMissing) && os.Getenv("MARVIN_JAIL_MUST") == "" {
		t.Skip("this system has no complete sandbox:", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func content(path string) string {
	data, _ := os.ReadFile(path)
	return string(data)
}

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }

// listen opens outside sockets that a command could contact.
func (p *place) listen(t *testing.T) {
	t.Helper()
	for _, one := range [][2]string{{"tcp", "127.0.0.1:0"}, {"unix", p.base + "/run/socket"}, {"unix", "@marvin-test" + strings.ReplaceAll(p.base, "/", "-")}} {
		listener, err := net.Listen(one[0], one[1])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { listener.Close() })
		if one[0] == "tcp" {
			p.environ = append(p.environ, "PORT="+itoa(listener.Addr().(*net.TCPAddr).Port))
		}
		if strings.HasPrefix(one[1], "@") {
			p.environ = append(p.environ, "ABSTRACT="+one[1])
		}
	}
}
