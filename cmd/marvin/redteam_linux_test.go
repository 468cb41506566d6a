package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The red team tries every attack of testdata/redteam against the program, in a throw-away root, as
// an ordinary user without a network. The control of each attack does the same by hand and must
// make the sign that the attack would make. REDTEAM=1 is `make redteam`; REDTEAM=G13 or
// REDTEAM=word tries the attacks with that finding or name.
func TestRedTeam(t *testing.T) {
	word := os.Getenv("REDTEAM")
	if word == "" {
		t.Skip("make redteam runs all attacks")
	}
	all := attacks(t)
	fmt.Println(tryAll(t, chosen(all, word), builtMarvin(t)))
}

// TestRedTeamInSmall reads every attack and tries the quick ones, or half of them in a short run.
func TestRedTeamInSmall(t *testing.T) {
	t.Parallel()
	all := attacks(t)
	var quick []attack
	for _, a := range all {
		if a.Quick {
			quick = append(quick, a)
		}
	}
	if testing.Short() {
		half := quick[:0]
		for i := 0; i < len(quick); i += 2 {
			half = append(half, quick[i])
		}
		quick = half
	}
	tryAll(t, quick, "")
}

func attacks(t *testing.T) []attack {
	t.Helper()
	all, err := readAttacks(filepath.Join("testdata", "redteam"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// builtMarvin is the program as it is released.
func builtMarvin(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "marvin")
	build := exec.Command("go", "build", "-trimpath", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// tryAll runs attacks and returns their table.
func tryAll(t *testing.T, list []attack, marvin string) string {
	t.Helper()
	table := "| finding | attack | runs | result |\n|---|---|---|---|\n"
	for _, a := range list {
		verdict := "held"
		t.Run(a.Name, func(t *testing.T) {
			verdict = a.all(t, marvin)
			t.Log(verdict)
		})
		table += fmt.Sprintf("%s %d | %s |\n", a.row(), len(a.Modes), verdict)
	}
	return table
}

// all runs the control of an attack and then the attack in each of its modes.
func (a attack) all(t *testing.T, marvin string) (verdict string) {
	t.Helper()
	control := a.in(t, trial{Control: true, Marvin: marvin})
	if control.Escaped == "" {
		t.Errorf("the control does not succeed, so the attack shows nothing: %s\n%s", control.Error, control.Output)
		return "its control failed"
	}
	verdict = "held"
	for _, mode := range a.Modes {
		result := a.in(t, trial{Mode: mode, Marvin: marvin})
		took := fmt.Sprintf("%s %s: %.1f s, %d MiB, exit code %d\ntold: %q\n%s", a.Args, mode, result.Took, result.Peak, result.Exit, result.Results, end(result.Output))
		switch {
		case result.Error != "":
			t.Errorf("not tried: %s\n%s", result.Error, took)
			verdict = "not tried"
		case result.Escaped != "":
			t.Errorf("ESCAPED: %s\n%s", result.Escaped, took)
			verdict = "**escaped** " + mode
		case result.Hung:
			t.Errorf("it did not end\n%s", took)
			verdict = "**hung** " + mode
		case result.Missing != "":
			t.Errorf("held, but there is no sign that it was tried: %s\n%s", result.Missing, took)
			verdict = "not tried"
		default:
			t.Log(took)
		}
	}
	return verdict
}

// row returns the beginning of the attack's row in the table.
func (a attack) row() string { return fmt.Sprintf("| %s | %s |", a.Finding, a.What) }

func end(text string) string { return text[max(0, len(text)-2000):] }

// in runs a trial in a throw-away root.
func (a attack) in(t *testing.T, trial trial) outcome {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "redteam", a.Name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	trial.Name, trial.Attack, trial.Base, trial.Users = a.Name, string(content), t.TempDir(), os.Getuid() != 0
	trial.Files, _ = strconv.Atoi(os.Getenv("REDTEAM_FILES"))
	if trial.Marvin == "" {
		trial.Marvin = os.Args[0]
	}
	if trial.Marvin, err = filepath.Abs(trial.Marvin); err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	command, err := trial.stage("root", os.Args[0], write)
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	command.Stderr = &stderr
	trial.namespaces(command.SysProcAttr)
	// The child ends together with the thread that started it. Without this lock, the thread may
	// end before this function.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err = command.Start()
	write.Close()
	if err != nil {
		t.Skip("no namespaces here:", err)
	}
	late := time.AfterFunc(mostSlowdown*time.Duration(a.Seconds)*time.Second+3*time.Minute, func() { command.Process.Kill() })
	defer late.Stop()
	told, failed := io.ReadAll(read)
	failed = errors.Join(failed, command.Wait())
	var result outcome
	if err := json.Unmarshal(told, &result); err != nil {
		if strings.Contains(stderr.String(), "operation not permitted") && os.Getenv("REDTEAM") == "" {
			t.Skip("no throw-away root here:", stderr.String())
		}
		return outcome{Error: fmt.Sprintf("%v %v %s", err, failed, stderr.String())}
	}
	return result
}

// Outside the throw-away root nothing is tried.
func TestRedTeamRefusesToRunElsewhere(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread() // the child ends with the thread that started it
	defer runtime.UnlockOSThread()
	for stage, want := range map[string]string{"inside": "it refuses to run", "root": "not the first process"} {
		command, err := trial{Name: "x", Base: t.TempDir()}.stage(stage, os.Args[0], os.Stderr)
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		command.Stderr = &stderr
		if err := command.Run(); err == nil || !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: %v, %s", stage, err, stderr.String())
		}
	}
}
