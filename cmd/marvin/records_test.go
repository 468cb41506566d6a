package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/chat"
	"marvin/persistence/spending"
	"marvin/providers/modeltest"
)

// soon reports whether a condition becomes true in time.
func soon(holds func() bool) bool {
	for deadline := time.Now().Add(patience / 2); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if holds() {
			return true
		}
	}
	return false
}

func contains(path string, all ...string) bool {
	content, _ := os.ReadFile(path)
	for _, one := range all {
		if !strings.Contains(string(content), one) {
			return false
		}
	}
	return true
}

// A call is logged when it begins and again when it ends, each time with the time of day. kill -9
// between the two loses nothing that was logged.
func TestCallsAreLoggedAsTheyHappen(t *testing.T) {
	t.Parallel()
	audit := filepath.Join(t.TempDir(), "audit.jsonl")
	const begun = `, "begun": "get_working_dir", "args": {}}`
	command := process(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Role != messages.Tool {
			return modeltest.Calls(modeltest.Call{Name: "get_working_dir"})
		}
		if !contains(audit, begun) {
			t.Error("the first call is over and not in the log")
		}
		return modeltest.Calls(modeltest.Call{Name: "git_status"}, modeltest.Call{Name: "run_command", Args: map[string]string{"command": "until [ -e done ]; do sleep 0.05; done"}})
	}, "-p", "go")
	command.Env = append(command.Env, "MARVIN_SUBAGENT_LOG="+audit)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	waitForFile(t, audit, func(text string) bool {
		return strings.Contains(text, `"begun": "run_command"`) && strings.Contains(text, `"tool": "git_status"`)
	})
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, command)
	if err := os.WriteFile(filepath.Join(command.Dir, "done"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(audit)
	if err != nil {
		t.Fatal(err)
	}
	times := map[string]float64{}
	for line := range strings.Lines(string(content)) {
		var call struct {
			TS          float64
			Begun, Tool string
			Args        map[string]string
		}
		if err := json.Unmarshal([]byte(line), &call); err != nil || call.Args == nil {
			t.Errorf("%s (%v)", line, err)
		}
		times[call.Begun+"/"+call.Tool] = call.TS
	}
	first, second := times["/get_working_dir"], times["git_status/"] // of the next round
	if len(times) != 5 || times["get_working_dir/"] > first || first > second || second > times["/git_status"] || first == 0 || times["run_command/"] == 0 {
		t.Errorf("the log has %v", times)
	}
}

// An answered request is charged, even if the run is killed.
func TestAKilledRunIsCharged(t *testing.T) {
	t.Parallel()
	const rounds = 5
	killed := process(t, nil)
	home := persistence.Open(strings.TrimPrefix(killed.Env[0], "HOME="), time.Now)
	charged := func() int {
		usage, _ := spending.Of(home).Usage()
		return usage.Turns
	}
	answered := 0
	script := func(request modeltest.Request) modeltest.Step {
		if request.Last().Text == "again" {
			return modeltest.Text("fine").WithFaults(modeltest.Tokens(100, 0, 5))
		}
		if !soon(func() bool { return charged() == answered }) {
			t.Errorf("%d were answered, %d are charged", answered, charged())
		}
		if answered++; answered > rounds {
			return modeltest.Hang()
		}
		return modeltest.Calls(modeltest.Call{Name: "get_working_dir"}).WithFaults(modeltest.Tokens(100, 0, 5))
	}
	like := process(t, script, "-p", "go")
	like.Env[0] = killed.Env[0]
	usageFile := filepath.Join(home.State, "usage.json")
	if err := like.Start(); err != nil {
		t.Fatal(err)
	}
	// usage.json is at most a second old, for programs that read only this file.
	waitForFile(t, usageFile, func(text string) bool { return strings.Contains(text, `"total_llm_turns": 5`) })
	if err := like.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, like)
	again := process(t, script, "-p", "again")
	again.Env[0] = killed.Env[0]
	if out, err := again.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	usage, err := spending.Of(home).Usage()
	tokens := usage.ProviderTokens["openai-compat"]
	if err != nil || usage.Turns != rounds+1 || tokens["input"] != 600 || tokens["output"] != 30 || !contains(usageFile, `"total_llm_turns": 6`) {
		t.Errorf("charged %+v, %v", usage, err)
	}
}

// A prompt is on disk before the model is asked, and text of the answer within a second. After kill
// -9 the next start finds both, reports it, and stores them once.
func TestKilledWhileAnAnswerStreams(t *testing.T) {
	t.Parallel()
	var running string
	c := connect(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Text == "where?" && !contains(running, `"role":"you","text":"where?"`) {
			t.Error("it is asked and not on the disk")
		}
		return modeltest.Text("Over there, ", "behind").Append(modeltest.Hang())
	})
	home := c.command.Env[0]
	profile := persistence.Open(strings.TrimPrefix(home, "HOME="), time.Now).Profile("default")
	running = filepath.Join(profile.Dir, "running.jsonl")
	c.send(`{"type":"prompt","op":{"text":"where?"}}`)
	waitForFile(t, running, func(text string) bool { return strings.Contains(text, "behind") })
	if err := c.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, c.command)

	for round := range 2 { // another conversation does not speak of it
		next := &client{t: t, command: process(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("hello") })}
		next.command.Env[0] = home
		next.command.Args = []string{"marvin", "rpc", "--provider", "openai-compat"}
		next.begin(patience)
		next.send(`{"type":"prompt","op":{"text":"hi"}}`)
		told := 0
		for line := next.next(); line.Type != "turn_ended"; line = next.next() {
			if line.Type == "notice" && strings.Contains(line.Event.Text, "where?") {
				told++
			}
		}
		if told != 0 {
			t.Errorf("start %d: told %d times", round, told)
		}
		next.send(`{"type":"quit"}`)
		waitFor(t, next.command)
	}
	entries, err := chat.New(profile).Tail(100)
	if err != nil || len(entries) != 6 || entries[0].Role+entries[0].Text != "youwhere?" || entries[1].Role != "assistant" ||
		entries[1].Text != "Over there, behind\n[Interrupted: Marvin ended here unexpectedly.]" || entries[2].Text != "hi" {
		t.Errorf("the log has %+v, %v", entries, err)
	}
	if left, _ := filepath.Glob(filepath.Join(profile.Dir, "running*")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}
