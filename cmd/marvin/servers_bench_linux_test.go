package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence/disktest"
	"marvin/providers/modeltest"
)

// tenServers configures ten servers in a home: one that hangs, one that dies, one with a banner,
// one that needs 20 s, and six fast ones. Each leaves a file when it starts. The tools of the
// first are cached.
func tenServers(tb testing.TB, home, program string) (started string) {
	tb.Helper()
	started = filepath.Join(home, "started")
	state := filepath.Join(home, ".config", "marvin")
	for _, dir := range []string{started, state} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			tb.Fatal(err)
		}
	}
	wrapper := filepath.Join(home, "wrapper")
	if err := disktest.WriteProgram(wrapper, []byte("#!/bin/sh\ntouch "+started+"/$MCP_PLAYS\ntest $MCP_PLAYS = slow && sleep 20\nexec "+program+"\n"), 0o755); err != nil {
		tb.Fatal(err)
	}
	var config strings.Builder
	config.WriteString("mcp:\n")
	for i, how := range []string{"well", "hangs", "dies", "banner", "slow", "well", "well", "well", "well", "well"} {
		fmt.Fprintf(&config, "  s%d: {command: [%s], env: {MCP_PLAYS: %s}, sandbox: \"off\", reads: [\"*\"]}\n", i, wrapper, how)
	}
	if err := os.WriteFile(filepath.Join(state, "config.yaml"), []byte(config.String()), 0o600); err != nil {
		tb.Fatal(err)
	}
	return started
}

// playedServer returns the test binary as a server.
func playedServer(tb testing.TB, dir string) string {
	tb.Helper()
	program := filepath.Join(dir, "mcp-server")
	if err := os.Symlink(os.Args[0], program); err != nil {
		tb.Fatal(err)
	}
	return program
}

func TestTenServersDoNotDelayTheStart(t *testing.T) {
	t.Parallel()
	command := process(t, func(request modeltest.Request) modeltest.Step {
		if last := request.Last(); last.Role == messages.Tool {
			return modeltest.Text("result: ", last.Result.Text)
		}
		if strings.Contains(request.Last().Text, "call") {
			return modeltest.Calls(modeltest.Call{Name: "mcp_s0_run_command", Args: map[string]string{"text": "served"}})
		}
		return modeltest.Text("hello")
	})
	home := strings.TrimPrefix(command.Env[0], "HOME=")
	started := tenServers(t, home, playedServer(t, home))
	say := func(prompt, want string) {
		t.Helper()
		again := exec.CommandContext(t.Context(), command.Path, append(slices.Clone(command.Args[1:]), "--prompt", prompt)...)
		again.Args[0], again.Env, again.Dir = "marvin", command.Env, command.Dir
		out, err := again.Output()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v: %s", prompt, err, out)
		}
	}
	say("greet me", "hello")
	if all, _ := os.ReadDir(started); len(all) != 0 {
		t.Errorf("a prompt started %v", all)
	}
	test := exec.CommandContext(t.Context(), command.Path, "mcp", "approve", "s0")
	test.Args[0], test.Env, test.Dir = "marvin", command.Env, command.Dir
	if out, err := test.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	say("call it", "said: served")
	if all, _ := os.ReadDir(started); len(all) != 1 || all[0].Name() != "well" {
		t.Errorf("a call of one started %v", all)
	}
}

// Ten servers may make a start and a prompt at most 0.3 ms slower. A call of a server may take at
// most 1 ms more than a call of one of Marvin's own tools.
func BenchmarkTenServers(b *testing.B) {
	tool := "read_file"
	c := compete(b, func(request modeltest.Request) modeltest.Step {
		done := 0
		for _, message := range request.Messages {
			if message.Role == messages.Tool {
				done++
			}
		}
		if request.Last().Text == "hello" || done == 6 {
			return modeltest.Text("hello")
		}
		return modeltest.Calls(modeltest.Call{Name: tool, Args: map[string]string{"path": fmt.Sprintf("f%d.txt", done), "text": fmt.Sprint(done)}})
	})
	for i := range 6 {
		if err := os.WriteFile(filepath.Join(c.dir, fmt.Sprintf("f%d.txt", i)), []byte("a\nb\nc\n"), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	home := b.TempDir()
	started := tenServers(b, home, playedServer(b, home))
	with := []string{"HOME=" + home}
	looks := exec.Command(c.marvin, "mcp", "approve", "s0")
	looks.Env = append(os.Environ(), with...)
	if out, err := looks.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	if err := os.Remove(filepath.Join(started, "well")); err != nil {
		b.Fatal(err)
	}
	version := func(environ []string) figures {
		command := exec.Command(c.marvin, "--version")
		command.Env = append(os.Environ(), environ...)
		begun := time.Now()
		if err := command.Run(); err != nil {
			b.Fatal(err)
		}
		return figures{wall: time.Since(begun), cpu: command.ProcessState.UserTime() + command.ProcessState.SystemTime()}
	}
	for b.Loop() {
		var versions, prompts [2][]figures
		var first [2][]time.Duration
		for range 41 {
			for i, environ := range [][]string{nil, with} {
				versions[i] = append(versions[i], version(environ))
				c.environ = environ
				begun := time.Now()
				prompts[i] = append(prompts[i], c.run(b, c.marvin, "hello"))
				first[i] = append(first[i], c.arrived.Sub(begun))
			}
		}
		if all, _ := os.ReadDir(started); len(all) != 0 {
			b.Fatalf("started: %v", all)
		}
		calls := map[string]time.Duration{}
		for _, name := range []string{"read_file", "mcp_s0_run_command"} {
			tool, c.turnings, c.environ = name, nil, with
			for range 7 {
				c.run(b, c.marvin, "use the tool")
			}
			slices.Sort(c.turnings)
			calls[name] = c.turnings[len(c.turnings)/2]
		}
		_ = os.Remove(filepath.Join(started, "well"))
		middle := func(all []time.Duration) time.Duration { slices.Sort(all); return all[len(all)/2] }
		report(b, map[string]float64{
			"version-more-ms": ms(medians(versions[1]).wall - medians(versions[0]).wall),
			"prompt-more-ms":  ms(medians(prompts[1]).wall - medians(prompts[0]).wall),
			"prompt-cpu-more": ms(medians(prompts[1]).cpu - medians(prompts[0]).cpu),
			"request-more-ms": ms(middle(first[1]) - middle(first[0])),
			"call-ms":         ms(calls["mcp_s0_run_command"]), "own-call-ms": ms(calls["read_file"]),
		})
	}
}
