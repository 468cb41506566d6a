package command_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence/chat"
	"marvin/providers/modeltest"
	"marvin/tools/shell"
	"marvin/ui/command"
	"marvin/ui/slash"
)

const answer = "Two ways:\n\n```go\nx := 1\n```\n\n- a list\n  ~~~sh\n  ls\n  ~~~\n\nDone."

func TestCopyAndExport(t *testing.T) {
	d := sit(t, modeltest.Start(t, modeltest.Text("Let me see.").Append(modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "echo '```'; false"}})), modeltest.Text(answer)), shell.Tools()...)
	d.expect("/export t.md", "nothing to export")
	d.expect("/copy", "There is no answer to copy yet.")
	if d.copied != "" {
		t.Errorf("copied %q", d.copied)
	}
	d.engine.Take("how?")
	d.wait(func() bool { return len(actorstest.Pick[messages.Asked](d.tree.Seen)) > 0 })
	d.tree.Client.Send(messages.Answer{Ask: actorstest.Pick[messages.Asked](d.tree.Seen)[0].Ask, Choice: messages.Yes})
	d.wait(func() bool { return !d.busy })
	d.take("!echo mine")

	d.expect("/copy 1", "Code block 1 is on the clipboard")
	if d.copied != "x := 1" {
		t.Errorf("copied %q", d.copied)
	}
	d.take("/copy 2")
	if d.copied != "ls" {
		t.Errorf("copied %q", d.copied)
	}
	for _, odd := range []string{"3", "0", "x", "99999999999999999999"} {
		d.expect("/copy "+odd, "which has 2")
	}
	d.expect("/copy", "The last answer is on the clipboard")
	if d.copied != "Let me see.\n"+answer {
		t.Errorf("copied %q", d.copied)
	}

	dir := d.engine.Host.(disk).dir
	d.expect("/export t.md", "Exported ")
	markdown, err := os.ReadFile(filepath.Join(dir, "t.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nhow?\n", "\nLet me see.\n\n🔧 run_command", "(exit 1)\n\n````\n```\n[exit code: 1, took ", "\nx := 1\n", "\n```\n$ echo mine\nmine\n```\n"} {
		if !strings.Contains(string(markdown), want) {
			t.Errorf("%q is missing in:\n%s", want, markdown)
		}
	}
	d.take("/export t.json")
	content, err := os.ReadFile(filepath.Join(dir, "t.json"))
	var steps []struct {
		Role, Name, Status, Text string
		Time                     time.Time
	}
	if err = errors.Join(err, json.Unmarshal(content, &steps)); err != nil || len(steps) != 5 {
		t.Fatalf("%v:\n%s", err, content)
	}
	for i, role := range []string{"you", "assistant", "tool", "assistant", "shell"} {
		if steps[i].Role != role || steps[i].Time.IsZero() {
			t.Errorf("step %d is %+v, want %s", i, steps[i], role)
		}
	}
}

func TestJobsListWhatRuns(t *testing.T) {
	d := sit(t, modeltest.Start(t,
		modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]any{"command": "echo ready; sleep 300", "background": true}}), modeltest.Text("Started."),
		modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "sleep 200"}})), shell.Tools()...)
	d.expect("/jobs", "Nothing is running.")
	allow := func(n int) {
		d.wait(func() bool { return len(actorstest.Pick[messages.Asked](d.tree.Seen)) == n })
		d.tree.Client.Send(messages.Answer{Ask: actorstest.Pick[messages.Asked](d.tree.Seen)[n-1].Ask, Choice: messages.Yes})
	}
	d.engine.Take("start it")
	allow(1)
	d.wait(func() bool { return !d.busy })
	listed := d.take("/jobs")
	_, listed, _ = strings.Cut(listed, "\n")
	id, _, _ := strings.Cut(strings.TrimSpace(listed), " ")
	if !strings.HasPrefix(id, "cmd-") || !strings.Contains(listed, "running for ") || !strings.HasSuffix(listed, ": echo ready; sleep 300") {
		t.Fatalf("it says %q", listed)
	}
	d.wait(func() bool { return d.take("/jobs "+id) == "ready" })

	d.engine.Take("and wait")
	allow(2)
	d.wait(func() bool { return len(actorstest.Pick[messages.ToolStarted](d.tree.Seen)) == 2 })
	d.engine.Take("!sleep 100")
	before := len(d.said)
	d.engine.Take("/jobs")
	d.wait(func() bool { return len(d.said) > before })
	if said := d.said[before]; !strings.Contains(said, "run_command sleep 200") || !strings.Contains(said, "$ sleep 100") || !strings.Contains(said, id) {
		t.Errorf("it says %q", said)
	}
	if !d.engine.Cancel() {
		t.Error("there was nothing to cancel")
	}
	d.wait(func() bool { return len(d.engine.Working()) == 0 })
	if said := d.said[len(d.said)-1]; said != "$ sleep 100\n[cancelled]" {
		t.Errorf("it says %q", said)
	}
	d.tree.Client.Send(messages.Cancel{})
	d.wait(func() bool { return !d.busy })
	d.expect("/jobs cancel "+id, id+"  cancelled after ")
	d.expect("/jobs cancel", "Usage: /jobs cancel ID")
	d.expect("/jobs cmd-never", "no job cmd-never")
}

func TestChoosingAModel(t *testing.T) {
	d := sit(t, modeltest.Start(t))
	changes := func() []messages.ModelChanged { return actorstest.Pick[messages.ModelChanged](d.tree.Seen) }
	d.expect("/model 2", "there is no number 2 in the list of 0 entries; /model lists them.")
	d.expect("/model", "*  1. openai-compat test-model\n   2. openai-compat qwen3-32b\n   3. copilot other-model\n   4. openai-compat openai/gpt-oss-120b")
	for n, c := range []struct{ line, provider, model string }{
		{"/model 2", "openai-compat", "qwen3-32b"},
		{"/model OTHER-MODEL", "copilot", "other-model"},
		{"/model openai-compat test-model", "openai-compat", "test-model"},
		{"/model qwen", "openai-compat", "qwen3-32b"}, // the only model whose name contains it
		{"/model openai-compat not-listed", "openai-compat", "not-listed"},
		{"/model openai-compat/maker/not-listed", "openai-compat", "maker/not-listed"},
		{"/model Copilot/other-model", "copilot", "other-model"},
		{"/model openai/gpt-oss-120b", "openai-compat", "openai/gpt-oss-120b"}, // the part before the slash is not a provider
		{"/model SMALL", "openai-compat", "qwen3-32b"},                         // a role instead of a model
	} {
		d.take(c.line)
		if list := changes(); len(list) != n+1 || list[n].Provider != c.provider || list[n].Model != c.model {
			t.Errorf("%s: %+v", c.line, list)
		}
	}
	d.expect("/model 5", "there is no number 5 in the list of 4")
	d.expect("/model qwen4-32b", "did you mean qwen3-32b?")
	d.expect("/model zebra", "No model has zebra in its name")
	d.expect("/model what should I take", "no spaces")
	d.expect("/model model", "1. openai-compat test-model\n   2. copilot other-model")
	if list := changes(); len(list) != 9 {
		t.Errorf("what was not clear changed something: %+v", list)
	}
}

func TestAnotherProfile(t *testing.T) {
	d := sit(t, modeltest.Start(t))
	d.expect("/profile new alex", "Profile switched to: alex (new")
	d.expect("!echo secret of alex", "secret of alex")
	d.expect("/profile alex", "already")
	d.expect("/profile default", "Profile switched to: default (new")
	d.expect("profiles", "*  1. default\n   2. alex")
	d.expect("/profile 2", "Profile switched to: alex")
	d.expect("/profile 7", "there is no number 7")
	d.expect("/profile new ../up", "cannot be a profile")
	if changed := actorstest.Pick[messages.ModeChanged](d.tree.Seen); len(changed) != 3 || changed[2].Profile != "alex" {
		t.Errorf("%+v", changed)
	}
	log, err := os.ReadFile(filepath.Join(d.engine.Host.(disk).home.Profile("default").Dir, "chat_log.json"))
	if strings.Contains(string(log), "secret") {
		t.Errorf("%v: the log of default has %s", err, log)
	}
}

func TestVoice(t *testing.T) {
	d := sit(t, modeltest.Start(t, modeltest.Text("Heard.")))
	d.expect("!v", "voice input is not available: ")
	asked := 0
	d.engine.Voice = func(_ context.Context, seconds int) (string, error) {
		asked = seconds
		return "  what I said\n", nil
	}
	for _, odd := range []string{"!v 0", "!v 121", "!v x", "!voice rm -rf x"} {
		d.expect(odd, "Usage: /voice [SECONDS]")
	}
	d.expect("!v 7", "Speak now: 7 seconds")
	if started := actorstest.Pick[messages.TurnStarted](d.tree.Seen); asked != 7 || len(started) != 1 || started[0].Prompt != "what I said" {
		t.Errorf("%d seconds, %+v", asked, started)
	}
	d.engine.Voice = func(context.Context, int) (string, error) { return "", errors.New("no microphone; plug one in") }
	d.expect("!voice", "voice input is not available: no microphone")
	d.engine.Voice = func(context.Context, int) (string, error) { return " ", nil }
	d.expect("!v", "Nothing was heard")
}

func TestTypeAheadRunsNothing(t *testing.T) {
	d := sit(t, modeltest.Start(t, modeltest.Text("ok")))
	d.engine.Begin("!touch reached")
	d.wait(func() bool { return !d.busy })
	if started := actorstest.Pick[messages.TurnStarted](d.tree.Seen); len(started) != 1 || started[0].Prompt != "!touch reached" {
		t.Errorf("%+v", started)
	}
	d.take("quit")
	if !d.left {
		t.Error("it stays")
	}
}

func TestHelp(t *testing.T) {
	d := sit(t, modeltest.Start(t))
	all := d.take("/help")
	if !strings.HasPrefix(all, "Talk:\n  /help  ") || !strings.HasSuffix(all, "\nEverything else goes to the model, and so does a line that begins with a space.") {
		t.Errorf("/help says %s", all)
	}
	for _, entry := range slash.Table {
		if !strings.Contains(all, entry.Name+" ") {
			t.Errorf("/help lacks %s", entry.Name)
		}
	}
	for _, name := range []string{"model", "/model", "MODEL"} {
		d.expect("/help "+name, "/model [NUMBER|NAME]: choose a model")
	}
	for line := range strings.Lines(all) {
		if len(line) > 80 {
			t.Errorf("too long for a terminal of 80 columns: %s", line)
		}
	}
	d.expect("/help clear", "Also: /new")
	d.expect("/help cost", "/usage: show the cost")
	d.expect("/todos", "There is no plan")
	d.expect("/help modle", "did you mean /model")
	for _, odd := range []string{"revoke", "revoke x", "revoke 0", "revoke -1", "grant 1"} {
		d.expect("/permissions "+odd, "Usage: /permissions lists the permissions, /permissions revoke N revokes number N.")
	}
}

func TestFinishWaitsForWhatItEnds(t *testing.T) {
	d := sit(t, modeltest.Start(t))
	ready := filepath.Join(t.TempDir(), "ready")
	d.engine.Take("!trap '' TERM; echo began; touch " + ready + "; sleep 100")
	d.wait(func() bool { _, err := os.Stat(ready); return err == nil })
	begun := time.Now()
	d.engine.Finish(time.Minute)
	if took := time.Since(begun); took > 30*time.Second {
		t.Errorf("it took %s", took)
	}
	entries, err := chat.New(d.engine.Host.(disk).home.Profile("default")).Tail(2)
	if err != nil || len(entries) != 2 || !strings.HasPrefix(entries[1].Text, "began") {
		t.Errorf("the history ends with %+v, %v", entries, err)
	}
	d.engine.Finish(time.Minute) // nothing is running any more
}

func TestFinishDoesNotWaitForEver(t *testing.T) {
	d := sit(t, modeltest.Start(t))
	free := make(chan struct{})
	defer close(free)
	d.engine.Voice = func(context.Context, int) (string, error) { <-free; return "", nil }
	d.engine.Take("!v 1")
	d.engine.Finish(10 * time.Millisecond) // the test ends
}

// No file defines commands here: cmd/marvin tests them.
func (d disk) ListWritten(context.Context, string) []slash.WrittenCommand { return nil }

func (d disk) Ask(context.Context, string, string, string) (command.Submission, error) {
	return command.Submission{}, command.ErrNotWritten
}
