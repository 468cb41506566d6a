package storetest

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

	"marvin/persistence/internal/store"
)

// Helpers maps names to functions that [Helper] can run in a child process. The child process runs
// the same test binary.
var Helpers = map[string]func(home string) error{}

// Main runs the helper named by the environment variable PERSISTENCE_HELPER. If the variable is not
// set, Main runs the package's tests.
func Main(m *testing.M) {
	debug.SetGCPercent(400) // with fewer garbage collections, all tests take 28 s of processor time instead of 30 s
	AtStart()
	if name := os.Getenv("PERSISTENCE_HELPER"); name != "" {
		if err := Helpers[name](os.Getenv("PERSISTENCE_HOME")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// AtStart is the function that [Main] calls before a helper or the tests run. A test package can
// set AtStart to disktest.Main.
var AtStart = func() {}

// Helper returns a command that runs the helper with the given name in a child process.
func Helper(t *testing.T, name, home string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe")
	if executable, err := os.Executable(); err == nil {
		cmd.Path = executable
	}
	cmd.Env = append(os.Environ(), "PERSISTENCE_HELPER="+name, "PERSISTENCE_HOME="+home, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	return cmd
}

// Formatted times must be the same on every machine.
func init() { time.Local = time.UTC }

var Noon = time.Date(2026, 2, 14, 12, 30, 15, 250_000_000, time.UTC)

func Now() time.Time { return Noon }

func Put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func Get(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func Must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// CopyOf returns a new home with a copy of the source directory, which can contain the files of an
// earlier version of Marvin.
func CopyOf(t *testing.T, source string) *store.Home {
	t.Helper()
	home := t.TempDir()
	Must(t, os.CopyFS(home, os.DirFS(source)))
	return store.Open(home, Now)
}

func Configured(t *testing.T, text string) *store.Home {
	t.Helper()
	home := store.Open(t.TempDir(), time.Now)
	if err := os.MkdirAll(home.State, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(home.Path("config.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return home
}

// EachLine calls the given function with the text before " => " in each line of a golden file, and
// compares the result with the text after " => ".
func EachLine(t *testing.T, name string, run func(text string) string) {
	t.Helper()
	golden := filepath.Join("testdata", name)
	var all strings.Builder
	for line := range strings.Lines(Get(t, golden)) {
		text, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		if text != "" && text[0] != '#' {
			text += " => " + run(strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(text))
		}
		if all.WriteString(text + "\n"); text+"\n" != line && os.Getenv("UPDATE_GOLDEN") == "" {
			t.Errorf("%s\nand was %s", text, line)
		}
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		Must(t, os.WriteFile(golden, []byte(all.String()), 0o644))
	}
}
