package actors_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/providers/modeltest"
	"marvin/tools/files"
	"marvin/tools/hooks"
)

// everywhere is a hook for every event that logs its input.
func everywhere(t *testing.T) (own map[string][]settings.Hook, told func() []hooks.HookInput) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	own = map[string][]settings.Hook{}
	for _, event := range settings.HookEvents {
		own[event] = []settings.Hook{{Run: []string{script(t, "cat >> "+log)}}}
	}
	return own, func() (all []hooks.HookInput) {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var said hooks.HookInput
			if err := json.Unmarshal([]byte(line), &said); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			all = append(all, said)
		}
		return all
	}
}

func namesOf(all []hooks.HookInput) string {
	var names []string
	for _, said := range all {
		names = append(names, string(said.Event))
	}
	return strings.Join(names, " ")
}

func TestEventsKeepTheirOrder(t *testing.T) {
	own, told := everywhere(t)
	tree := hookTree(t, t.TempDir(), own, actors.Policy{Coding: true}, create("a.txt"))
	if turn := tree.Prompt("go"); turn.Ended.Outcome != messages.Completed {
		t.Fatalf("%+v", turn.Ended)
	}
	all := told()
	want := "app.start session.start agent.start turn.start turn.end tool.execute.before tool.execute.after turn.start turn.end agent.stop agent.end"
	if got := namesOf(all); got != want {
		t.Fatalf("told: %s", got)
	}
	if all[2].Prompt != "go" || all[3].Prompt != "go" || all[3].Round != 1 || all[7].Round != 2 || all[4].Usage == nil {
		t.Errorf("%+v", all[2:5])
	}
	if after := all[6]; after.Result == nil || !strings.Contains(*after.Result, "a.txt") || after.Status != "ok" {
		t.Errorf("%+v", after)
	}
	if end := all[10]; end.Answer == nil || !strings.HasPrefix(*end.Answer, "said: ") || end.Status != "completed" {
		t.Errorf("%+v", end)
	}
	tree.Client.Send(messages.Clear{})
	actorstest.ReadUntil[messages.Cleared](tree)
	tree.Prompt("again") // this waits for the session.clear hook
	tree.Prompt(strings.Repeat("some more words ", 2000))
	tree.Prompt("what was said?")
	all = told()
	if got := namesOf(all[11:]); !strings.HasPrefix(got, "session.clear agent.start turn.start") {
		t.Errorf("after clear: %s", got)
	}
	tree.Client.Send(messages.Compact{})
	actorstest.ReadUntil[messages.TurnEnded](tree)
	if got := namesOf(told()[len(all):]); got != "session.compact" {
		t.Errorf("of a summary that a person wants: %s", got)
	}
}

func TestAHookStopsAPrompt(t *testing.T) {
	home := t.TempDir()
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("hello") })
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Home: home, Keep: begins, Environ: os.Environ(), Dir: t.TempDir(), Policy: &actors.Policy{Coding: true, Persist: true},
		Hooks: hooked("agent.start", "", `if grep -q hunter2; then echo a password is in it >&2; exit 2; fi`)(t),
	})
	if turn := tree.Prompt("my password is hunter2"); turn.Ended.Outcome != messages.Incomplete || !strings.Contains(turn.Ended.Err, "a password is in it") {
		t.Errorf("%+v", turn.Ended)
	}
	if len(server.Requests()) != 0 {
		t.Error("the model was asked")
	}
	if turn := tree.Prompt("hello"); turn.Ended.Outcome != messages.Completed {
		t.Errorf("%+v", turn.Ended)
	}
	for _, request := range server.Requests() {
		if strings.Contains(string(request.Raw), "hunter2") {
			t.Errorf("the model reads it: %s", request.Raw)
		}
	}
	holds := map[string]bool{}
	err := filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		for _, word := range []string{"hunter2", "hello"} {
			holds[word] = holds[word] || bytes.Contains(text, []byte(word))
		}
		return err
	})
	if err != nil || holds["hunter2"] || !holds["hello"] {
		t.Errorf("files hold %v, %v", holds, err)
	}
}

func TestWordsOfHooksReachTheModel(t *testing.T) {
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("hello") })
	own := map[string][]settings.Hook{}
	for _, event := range []string{"app.start", "session.start", "agent.start", "turn.start"} {
		own[event] = []settings.Hook{{Run: []string{script(t, `echo '{"context":"words of `+event+`"}'`)}}}
	}
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: t.TempDir(), Environ: os.Environ(), Dir: t.TempDir(), Hooks: own})
	tree.Prompt("one")
	tree.Prompt("two")
	requests := server.Requests()
	for i, want := range []map[string]int{
		{"app.start": 1, "session.start": 1, "agent.start": 1, "turn.start": 1},
		{"app.start": 1, "session.start": 1, "agent.start": 2, "turn.start": 2},
	} {
		for event, times := range want {
			if got := strings.Count(string(requests[i].Raw), "words of "+event); got != times {
				t.Errorf("request %d has the words of %s %d times", i+1, event, got)
			}
		}
	}
}

// A hook can prevent the end of a turn with a reason, at most eight times.
func TestAHookPutsTheEndOff(t *testing.T) {
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step { return modeltest.Text("done") })
	start := func(body string) actorstest.Turn {
		tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: t.TempDir(), Environ: os.Environ(), Dir: t.TempDir(), Hooks: hooked("agent.stop", "", body)(t)})
		return tree.Prompt("go")
	}
	turn := start(`echo the tests fail >&2; exit 2`)
	if turn.Ended.Outcome != messages.Completed || len(server.Requests()) != 9 || !strings.Contains(string(server.Requests()[8].Raw), "the tests fail") {
		t.Errorf("%d requests: %+v", len(server.Requests()), turn.Ended)
	}
	if said := actorstest.TurnEvents[messages.Text](turn); said[0].Chunk != "done" || said[1].Chunk != "\ndone" {
		t.Errorf("the second answer does not begin a line: %+v", said)
	}
	before := len(server.Requests())
	if turn = start(`grep -q '"stops":2' || { echo more >&2; exit 2; }`); len(server.Requests())-before != 3 {
		t.Errorf("%d requests: %+v", len(server.Requests())-before, turn.Ended)
	}
	before = len(server.Requests())
	if turn = start(`exit 1`); len(server.Requests())-before != 1 || len(actorstest.TurnEvents[messages.Notice](turn)) != 1 {
		t.Errorf("one that fails: %d requests: %+v", len(server.Requests())-before, turn.Ended)
	}
}

// A hook that says no or fails before the model is asked ends the turn.
func TestAHookStopsAQuestionToTheModel(t *testing.T) {
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step { return modeltest.Text("done") })
	for _, body := range []string{"exit 2", "exit 1", "echo maybe"} {
		tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: t.TempDir(), Environ: os.Environ(), Dir: t.TempDir(), Hooks: hooked("turn.start", "", body)(t)})
		if turn := tree.Prompt("go"); turn.Ended.Outcome != messages.Incomplete || len(server.Requests()) != 0 {
			t.Errorf("%s: %+v", body, turn.Ended)
		}
	}
}

func TestQuestionReachesFrontEnd(t *testing.T) {
	heard := filepath.Join(t.TempDir(), "heard")
	if err := syscall.Mkfifo(heard, 0o600); err != nil {
		t.Fatal(err)
	}
	tree := hookTree(t, t.TempDir(), map[string][]settings.Hook{
		"tool.execute.before": {{Run: []string{script(t, `echo '{"decision":"ask","reason":"why not"}'`)}}},
		"permission.asked":    {{Run: []string{script(t, "cat > "+heard)}}},
	}, actors.Policy{Coding: true, Person: true}, create("a.txt"))
	tree.Client.Send(messages.Say("go"))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	told, err := os.ReadFile(heard) // the file appears when the hook runs
	if err != nil || !strings.Contains(string(told), `"tool":"create_file"`) || !strings.Contains(string(told), "why not") {
		t.Errorf("%s %v", told, err)
	}
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.No})
	tree.Finish()
}

// Of a sub-agent, only its calls run hooks.
func TestCallsOfSubAgentsMeetTheHooks(t *testing.T) {
	own, told := everywhere(t)
	dir := t.TempDir()
	own["tool.execute.before"] = append(own["tool.execute.before"], settings.Hook{Match: "create_file", Run: []string{script(t, "echo not here >&2; exit 2")}})
	tree := actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
			if last := request.Last(); last.Role == messages.Tool {
				return modeltest.Text("said: " + last.Result.Text)
			}
			return modeltest.Calls(create("a.txt"))
		})),
		Tools: append(files.Tools(), delegate(1, 1, nil)), Dir: dir, Home: t.TempDir(), Hooks: own, Environ: os.Environ(),
	})
	turn := tree.Prompt("go")
	if exists(t, filepath.Join(dir, "a.txt")) || !strings.Contains(turn.Ended.Text, "not here") {
		t.Errorf("%+v", turn.Ended)
	}
	if got := namesOf(told()); strings.Count(got, "agent.start") != 1 || strings.Count(got, "session.start") != 1 || strings.Count(got, "tool.execute.before") != 2 {
		t.Errorf("told: %s", got)
	}
}
