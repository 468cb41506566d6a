package persistence

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// helpers are what this binary does when a test starts it again as a process of
// its own. The argument is the home directory.
var helpers = map[string]func(home string) error{}

// Main runs the tests of a package, or a helper.
func Main(m *testing.M) {
	debug.SetGCPercent(400) // memory is there, time is not: all tests take 28 s of processor time, not 30
	watched()
	if name := os.Getenv("PERSISTENCE_HELPER"); name != "" {
		if err := helpers[name](os.Getenv("PERSISTENCE_HOME")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// watched is what a process does first that disktest may watch.
var watched = func() {}

// helper prepares a process that runs one of the helpers.
func helper(t *testing.T, name, home string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe")
	if executable, err := os.Executable(); err == nil {
		cmd.Path = executable
	}
	cmd.Env = append(os.Environ(), "PERSISTENCE_HELPER="+name, "PERSISTENCE_HOME="+home, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	return cmd
}

// What is told of moments is the same on each machine.
func init() { time.Local = time.UTC }

var noon = time.Date(2026, 2, 14, 12, 30, 15, 250_000_000, time.UTC)

func now() time.Time { return noon }

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// copyOf is a home with the files of an earlier Marvin.
func copyOf(t *testing.T, source string) *Home {
	t.Helper()
	home := t.TempDir()
	must(t, os.CopyFS(home, os.DirFS(source)))
	return Open(home, now)
}

func configured(t *testing.T, text string) *Home {
	t.Helper()
	home := Open(t.TempDir(), time.Now)
	if err := os.MkdirAll(home.State, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(home.path("config.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return home
}

// eachLine runs what stands in front of " => " in each line of a golden file, and holds what
// comes of it against what stands behind.
func eachLine(t *testing.T, name string, run func(text string) string) {
	t.Helper()
	golden := filepath.Join("testdata", name)
	var all strings.Builder
	for line := range strings.Lines(get(t, golden)) {
		text, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		if text != "" && text[0] != '#' {
			text += " => " + run(strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(text))
		}
		if all.WriteString(text + "\n"); text+"\n" != line && os.Getenv("UPDATE_GOLDEN") == "" {
			t.Errorf("%s\nand was %s", text, line)
		}
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		must(t, os.WriteFile(golden, []byte(all.String()), 0o644))
	}
}
