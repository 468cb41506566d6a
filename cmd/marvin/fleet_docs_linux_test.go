package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/providers/modeltest"
)

// The three commands at the beginning of docs/fleet.md run as a script on a machine on which
// nothing runs yet: a server, three workers, and the batch with its answers. Only the port and the
// server's data directory differ.
func TestFleetThreeCommandsOfTheDocs(t *testing.T) {
	t.Parallel()
	server := fleettest.Start(t) // for a port that is free
	server.Kill()
	command := batchOf(t, func(prompt string) modeltest.Step { return modeltest.Text("to " + prompt) }, prompts("1", "2", "3"))
	bin := t.TempDir()
	for name, program := range map[string]string{"marvin": os.Args[0], "nats-server": server.Path} {
		if err := os.Symlink(program, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	script := fenced(page(t, "docs/fleet.md"), "sh")[0]
	if strings.Count(script, "\n") != 2 {
		t.Fatalf("these are no three commands:\n%s", script)
	}
	script = strings.ReplaceAll(script, "nats://localhost", server.URL())
	script = strings.Replace(script, "nats-server -js", "nats-server -js -a 127.0.0.1 -p "+server.Port+" -sd "+server.Dir+" -l nats.log", 1)
	shell := exec.Command("/bin/sh", "-c", script)
	shell.Env, shell.Dir = append(command.Env, "PATH="+bin+":"+os.Getenv("PATH"), "LLM_PROVIDER=openai-compat"), command.Dir
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	shell.Stdout, shell.Stderr = log, log // a file, which what stays in the background may keep
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) })
	err = shell.Wait()
	text, _ := os.ReadFile(filepath.Join(command.Dir, "answers.jsonl"))
	said, _ := os.ReadFile(log.Name())
	if err != nil || len(resultsIn(t, string(text))) != 3 || !strings.Contains(string(said), "3        completed") {
		t.Errorf("%v\n%s\n%s", err, text, said)
	}
}

// The command lines of the systemd unit and of the compose file start workers that answer prompts
// and drain at SIGTERM. systemd accepts the unit.
func TestFleetServicesOfTheDocs(t *testing.T) {
	t.Parallel()
	text := page(t, "docs/fleet.md")
	unit := fenced(text, "ini")[0]
	var compose struct {
		Services map[string]struct {
			Command []string `yaml:"command"`
		} `yaml:"services"`
	}
	if err := yaml.Unmarshal([]byte(fenced(text, "yaml")[1]), &compose); err != nil {
		t.Fatal(err)
	}
	_, start, _ := strings.Cut(unit, "\nExecStart=")
	start, _, _ = strings.Cut(start, "\n")
	server := newOperated(t, nil, "eu")
	command := batchOf(t, func(prompt string) modeltest.Step { return modeltest.Text("to " + prompt) }, []string{`{"id":"1","prompt":"x","label":"eu"}`}, "--fleet", server.URL())
	command.Env = append(command.Env, "MARVIN_FLEET_CREDS="+server.creds["eu"], "LLM_PROVIDER=openai-compat")
	var workers []func() (string, string, int)
	var processes []*exec.Cmd
	for _, args := range [][]string{strings.Fields(start), compose.Services["worker"].Command} {
		worker := again(command)
		worker.Args = append([]string{"marvin"}, args[1:]...)
		for i, arg := range worker.Args {
			if strings.HasPrefix(arg, "tls://") || strings.HasPrefix(arg, "nats://") {
				worker.Args[i] = server.URL()
			}
		}
		workers, processes = append(workers, begins(t, worker, 2*patience)), append(processes, worker)
	}
	if stdout, stderr, code := ends(t, command); code != 0 || len(resultsIn(t, stdout)) != 1 {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	f := &fleetOf{t: t, server: server.Server, batch: command}
	for deadline := time.Now().Add(patience); len(f.standing(t).Workers) < len(workers); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("they do not work: %+v", f.standing(t))
		}
	}
	for i, process := range processes {
		_ = process.Process.Signal(syscall.SIGTERM)
		if _, stderr, code := workers[i](); code != 0 {
			t.Errorf("%q: exit code %d\n%s", process.Args, code, stderr)
		}
	}
	verify(t, unit)
}

// verify lets systemd check a unit, if systemd is installed.
func verify(t *testing.T, unit string) {
	t.Helper()
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Log("no systemd-analyze here: the unit was not verified")
		return
	}
	path := filepath.Join(t.TempDir(), "marvin-worker.service")
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, fmt.Appendln(nil, strings.Replace(unit, "/usr/local/bin/marvin", own, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(program, "verify", path).CombinedOutput(); err != nil || strings.Contains(string(said), "marvin-worker") {
		t.Errorf("%v: %s", err, said)
	}
}
