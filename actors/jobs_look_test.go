package actors_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
)

func TestRunningCommandContinuesInTheBackground(t *testing.T) {
	o := atWork(t, actorstest.Setup{})
	o.Client.Send(messages.Background{})
	if notice := actorstest.ReadUntil[messages.Notice](o.Tree); !strings.Contains(notice.Text, "No running command") {
		t.Errorf("without a turn it says %q", notice.Text)
	}
	o.Client.Send(messages.Prompt{Text: `[{"Name":"run_command","Args":{"command":"echo one; echo x >began; until [ -e go ]; do sleep 0.01; done; echo two; exit 3"}}]`})
	asked := actorstest.ReadUntil[messages.Asked](o.Tree)
	o.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
	actorstest.ReadUntil[messages.ToolOutput](o.Tree) // a second has passed and one line was printed
	o.Client.Send(messages.Background{})
	ended := actorstest.ReadUntil[messages.ToolEnded](o.Tree)
	id := jobID.FindString(ended.Text)
	if ended.Status != messages.OK || id == "" || ended.Job != id || !strings.HasPrefix(ended.Text, "one\n[The command was moved to the background: it continues as job "+id) {
		t.Fatalf("its call ends with %+v", ended)
	}
	o.Finish()
	if text := o.call(t, onJob("tail", id))[0]; !strings.Contains(text, id+"  running for ") || !strings.Contains(text, "\none\n[to see all 4 bytes: read_file or code_grep with path \".marvin/logs/"+id+".log\"; for later output, call jobs with \"action\": \"tail\" and \"since\": 4]\n") {
		t.Errorf("while it runs: %q", text)
	}
	if err := os.WriteFile(filepath.Join(o.dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if text := o.call(t, onJob("wait", id))[0]; !strings.HasSuffix(text, "(exit code 3)\none\ntwo\n") {
		t.Errorf("at its end: %q", text)
	}
}

func TestBackgroundReadersEndWithMarvin(t *testing.T) {
	o := atWork(t, actorstest.Setup{})
	o.Client.Send(messages.Prompt{Text: `[{"Name":"run_command","Args":{"command":"echo $$ >pid; echo up; sleep 300"}}]`})
	asked := actorstest.ReadUntil[messages.Asked](o.Tree)
	o.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
	actorstest.ReadUntil[messages.ToolOutput](o.Tree)
	o.Client.Send(messages.Background{})
	actorstest.ReadUntil[messages.ToolEnded](o.Tree)
	o.Finish()
	if err := o.System.Stop(); err != nil {
		t.Error(err)
	}
	if left := o.System.RemainingJobs(); len(left) != 0 {
		t.Errorf("left running: %+v", left)
	}
	pid, err := os.ReadFile(filepath.Join(o.dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("/proc/" + strings.TrimSpace(string(pid)) + "/cwd"); err == nil {
		t.Errorf("process %s lives", pid)
	}
}

// The model can read the output of a running job, wait for a line, and answer the job's question.
func TestARunningJobIsLookedInto(t *testing.T) {
	o := atWork(t, actorstest.Setup{})
	id := jobID.FindString(o.call(t, modeltest.Call{Name: "run_command", Args: json.RawMessage(`{"command":"echo starting; until [ -e ready ]; do sleep 0.01; done; echo listening on 8080; read line; echo got $line","background":true,"input":true}`)})[0])
	if text := o.call(t, modeltest.Call{Name: "jobs", Args: json.RawMessage(`{"job_id":"` + id + `","pattern":"listening on","timeout":1}`)})[0]; !strings.HasPrefix(text, "No line matched within 1s.\n"+id+"  running for ") {
		t.Errorf("a wait in vain says %q", text)
	}
	if err := os.WriteFile(filepath.Join(o.dir, "ready"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if text := o.call(t, modeltest.Call{Name: "jobs", Args: json.RawMessage(`{"job_id":"` + id + `","pattern":"listening on \\d+"}`)})[0]; !strings.HasPrefix(text, "A line of the output matches: listening on 8080\n") {
		t.Errorf("the line brings %q", text)
	}
	if text := o.call(t, modeltest.Call{Name: "jobs", Args: json.RawMessage(`{"action":"tail","job_id":"` + id + `","since":9}`)})[0]; !strings.Contains(text, "\nlistening on 8080\n[to see all 27 bytes") || strings.Contains(text, "\nstarting") {
		t.Errorf("what is new is %q", text)
	}
	if text := o.call(t, modeltest.Call{Name: "job_input", Args: json.RawMessage(`{"job_id":"` + id + `","text":"the answer\n"}`)})[0]; !strings.HasPrefix(text, "11 bytes written. "+id) {
		t.Errorf("to write brings %q", text)
	}
	if text := o.call(t, modeltest.Call{Name: "jobs", Args: json.RawMessage(`{"job_id":"` + id + `","pattern":"never"}`)})[0]; !strings.HasPrefix(text, "The job ended, and no line of its output matches.\n") || !strings.HasSuffix(text, "got the answer\n") {
		t.Errorf("at its end: %q", text)
	}
	other := jobID.FindString(o.call(t, command("sleep 300"))[0])
	if text := o.call(t, modeltest.Call{Name: "job_input", Args: json.RawMessage(`{"job_id":"` + other + `","text":"x\n"}`)})[0]; !strings.Contains(text, "started without \"input\"") {
		t.Errorf("to one without input: %q", text)
	}
	o.call(t, onJob("cancel", other))
}
