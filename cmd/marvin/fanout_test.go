package main

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/spending"
	"marvin/providers/modeltest"
)

// 64 processes run at once with three rounds of tools each, in one home. The sums are exact, and
// every answer is complete and its own. No process waits for another: the first one, whose model is
// silent, ends after all others.
func TestSixtyFourProcessesShareOneHome(t *testing.T) {
	const processes, rounds = 64, 3
	others := make(chan struct{}) // closed when all but the first ended
	server := httptest.NewServer(modeltest.New(func(request modeltest.Request) modeltest.Step {
		called, asked := 0, ""
		for _, message := range request.Messages {
			switch message.Role {
			case messages.Tool:
				called++
			case messages.User:
				asked = message.Text
			}
		}
		if called == rounds && asked == "prompt 0" {
			return modeltest.Pause(others).Append(modeltest.Text("answer ", "to ", asked)).WithFaults(modeltest.Tokens(1000, 0, 10))
		}
		if called == rounds {
			return modeltest.Text("answer ", "to ", asked).WithFaults(modeltest.Tokens(1000, 0, 10))
		}
		return modeltest.Calls(modeltest.Call{Name: "get_working_dir"}).WithFaults(modeltest.Tokens(100, 0, 5))
	}))
	defer server.Close()
	home, dir := t.TempDir(), t.TempDir()
	like := process(t, nil)
	like.Env[0] = "HOME=" + home
	for i, variable := range like.Env {
		if strings.HasPrefix(variable, "OPENAI_COMPAT_URL=") {
			like.Env[i] = "OPENAI_COMPAT_URL=" + server.URL + "/v1"
		}
	}
	var first, rest sync.WaitGroup
	begun := time.Now()
	for i := range processes {
		command := exec.Command(like.Path)
		command.Args = append(like.Args[:len(like.Args):len(like.Args)], "-p", fmt.Sprintf("prompt %d", i))
		command.Env, command.Dir = like.Env, dir
		var stdout, stderr bytes.Buffer
		command.Stdout, command.Stderr = &stdout, &stderr
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		group := &rest
		if i == 0 {
			group = &first
		}
		group.Go(func() {
			waitFor(t, command)
			want := strings.Repeat("  🔧 get_working_dir\n", rounds) + fmt.Sprintf("answer to prompt %d\n", i)
			if code := command.ProcessState.ExitCode(); code != 0 || stdout.String() != want {
				t.Errorf("process %d exits %d: %q\n%s", i, code, stdout.String(), stderr.String())
			}
			checkCostLine(t, stderr.String())
		})
	}
	rest.Wait()
	close(others)
	first.Wait()
	t.Logf("all ended after %s", time.Since(begun).Round(time.Millisecond))
	usage, err := spending.Of(persistence.Open(home, time.Now)).Usage()
	if err != nil {
		t.Fatal(err)
	}
	const turns = processes * (rounds + 1)
	tokens := usage.ProviderTokens["openai-compat"]
	if usage.Turns != turns || usage.Calls["get_working_dir"] != processes*rounds || usage.Calls["_provider:openai-compat"] != turns ||
		usage.ModelTurns["qwen/qwen3-32b"] != turns || tokens["input"] != processes*(rounds*100+1000) || tokens["output"] != processes*(rounds*5+10) {
		t.Errorf("the sums are %+v", usage)
	}
	if left, _ := filepath.Glob(filepath.Join(home, ".config", "marvin", "*.damaged*")); len(left) > 0 {
		t.Errorf("set aside: %v", left)
	}
}
