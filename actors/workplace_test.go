package actors_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/jobs"
	"marvin/tools/shell"
)

// workplace is a conversation with the tools for background jobs.
type workplace struct {
	*actorstest.Tree
	server *modeltest.Server
	dir    string
	home   string
}

// Arguments of run_command and jobs.
type (
	runArgs struct {
		Command    string `json:"command"`
		Background bool   `json:"background,omitempty"`
	}
	jobsArgs struct {
		Action  string `json:"action"`
		ID      string `json:"job_id,omitempty"` // empty means the only job
		Timeout int    `json:"timeout,omitempty"`
	}
)

// command is a call of run_command in the background.
func command(line string) modeltest.Call {
	return modeltest.Call{Name: "run_command", Args: runArgs{Command: line, Background: true}}
}

func onJob(action, id string) modeltest.Call {
	return modeltest.Call{Name: "jobs", Args: jobsArgs{Action: action, ID: id}}
}

// atWork begins a conversation in which each prompt is the JSON of the calls to make; any other
// prompt is answered with text.
func atWork(t *testing.T, setup actorstest.Setup, more ...tools.Tool) workplace {
	t.Helper()
	if setup.Server == nil {
		setup.Server = modeltest.StartFunc(t, callsAsPrompted)
	}
	if setup.Home == "" {
		setup.Home = t.TempDir()
	}
	if setup.Dir == "" {
		setup.Dir = t.TempDir()
	}
	if setup.Policy == nil {
		setup.Policy = &actors.Policy{Coding: true, Person: true}
	}
	setup.Tools = append(append(shell.Tools(), jobs.New(persistence.Open(setup.Home, time.Now), "/nowhere/marvin").Tools()...), more...)
	return workplace{Tree: actorstest.Start(t, setup), server: setup.Server, dir: setup.Dir, home: setup.Home}
}

// callsAsPrompted makes the calls that the prompt contains as JSON.
func callsAsPrompted(request modeltest.Request) modeltest.Step {
	if len(resultsIn(request)) > 0 {
		return modeltest.Text("done")
	}
	var calls []promptedCall
	text := prompted(request) // after news, and after the time that the Copilot CLI adds
	if json.Unmarshal([]byte(text[strings.LastIndex("\n\n"+text, "\n\n"):]), &calls) != nil {
		return modeltest.Text("ok")
	}
	return stepOf(calls)
}

// resultsIn returns the results since the last prompt. Notices may follow them.
func resultsIn(request modeltest.Request) (list []string) {
	for _, message := range request.Messages {
		switch message.Role {
		case messages.User:
			list = nil
		case messages.Tool:
			list = append(list, message.Result.Text)
		}
	}
	return list
}

// promptedCall is a call in the prompts of these tests.
type promptedCall struct {
	Name string
	Args json.RawMessage
}

func stepOf(calls []promptedCall) modeltest.Step {
	made := make([]modeltest.Call, len(calls))
	for i, call := range calls {
		made[i] = modeltest.Call{Name: call.Name, Args: call.Args}
	}
	return modeltest.Calls(made...)
}

// call makes calls, answers questions with yes, and returns the results in order.
func (o workplace) call(t *testing.T, calls ...modeltest.Call) []string {
	t.Helper()
	prompt, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	o.Client.Send(messages.Say(string(prompt)))
	seen := len(o.Seen)
	results := map[string]string{}
	for len(results) < len(calls) {
		event := actorstest.ReadUntil[messages.Event](o.Tree)
		switch event := event.(type) {
		case messages.Asked:
			o.Client.Send(messages.Answer{Ask: event.Ask, Choice: messages.Always})
		case messages.ToolEnded:
			results[event.Call] = event.Text
		case messages.TurnEnded:
			t.Fatalf("ended early: %+v\n%s", event, actorstest.Lines(o.Seen[seen:]))
		}
	}
	o.Finish()
	requests := o.server.Requests()
	list := resultsIn(requests[len(requests)-1])
	if len(list) != len(calls) {
		t.Fatalf("%d results of %d calls: %q", len(list), len(calls), list)
	}
	return list
}

var jobID = regexp.MustCompile(`(cmd|review)-[a-z2-7]{5}`)

// system returns the environment part of the last request's system text.
func (o workplace) system() string {
	requests := o.server.Requests()
	return requests[len(requests)-1].Messages[0].Text
}

// news returns the notices before the last prompt.
func (o workplace) news() string {
	requests := o.server.Requests()
	last := requests[len(requests)-1].Messages
	if news := last[len(last)-2]; news.Role == messages.System {
		return news.Text
	}
	return ""
}

// pidOf returns the process id in the answer to the start of a job.
func pidOf(t *testing.T, text string) int {
	t.Helper()
	var pid int
	_, rest, _ := strings.Cut(text, "(pid ")
	if _, err := fmt.Sscanf(rest, "%d", &pid); err != nil {
		t.Fatalf("%q names no process", text)
	}
	return pid
}

// runs reports whether a process is alive; a zombie or a process that is being removed is not.
func runs(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X") // X: the process is being removed
}

func await(t *testing.T, what string, until func() bool) {
	t.Helper()
	for limit := time.Now().Add(actorstest.Patience); !until(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("waited in vain until " + what)
		}
	}
}
