package proc

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

func TestAReaderStartsNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no seccomp")
	}
	for name, line := range map[string]string{
		"a command":         "cat /dev/null; echo started; true",
		"a substitution":    "echo $(echo started)",
		"in the background": "echo started & wait",
		"another shell":     "sh -c 'sh -c \"echo started\"; true'; true",
	} {
		command := Command{Name: "sh", Args: []string{"-c", "/bin/true && " + line}, Dir: "/", Environ: []string{"PATH=/usr/bin:/bin"}}
		free, err := Run(t.Context(), command)
		if err != nil || !strings.Contains(free.Stdout.Text(), "started") {
			t.Fatalf("%s: it starts nothing anyway: %q, %v", name, free.Stdout.Text(), err)
		}
		command.Childless = true
		result, err := Run(t.Context(), command)
		if err != nil || result.ExitCode == 0 || strings.Contains(result.Stdout.Text(), "started") {
			t.Errorf("%s: %q, exit code %d, %v", name, result.Stdout.Text(), result.ExitCode, err)
		}
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	for range 3 { // threads are allowed, and the next call behaves like the first
		result, err := Run(t.Context(), Command{Name: "git", Args: []string{"grep", "--threads=4", "--no-index", "-c", "root", "passwd"}, Dir: "/etc", Environ: []string{"PATH=/usr/bin:/bin"}, Childless: true})
		if err != nil || result.ExitCode != 0 {
			t.Errorf("%q, %v", result.Stderr.Text(), err)
		}
	}
	if result, err := Run(t.Context(), Command{Shell: "cat /dev/null; echo started", Dir: "/", Environ: []string{"PATH=/usr/bin:/bin"}}); err != nil || result.Stdout.Text() != "started\n" {
		t.Errorf("afterwards nothing starts: %q, %v", result.Stdout.Text(), err)
	}
}
