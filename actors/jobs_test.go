package actors_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/background"
	"marvin/tools/jobs"
	"marvin/tools/shell"
)

func TestBackgroundCommandIsReportedOnce(t *testing.T) {
	o := atWork(t, actorstest.Setup{})
	begun := o.call(t, command("echo begun; until [ -e done ]; do sleep 0.01; done; echo bye >&2; exit 3"))[0]
	id := jobID.FindString(begun)
	if id == "" || !strings.Contains(begun, filepath.Join(o.dir, ".marvin/logs", id+".log")) {
		t.Fatalf("it begins with %q", begun)
	}
	o.Prompt("hello")
	if o.news() != "" {
		t.Errorf("of its own jobs the model got %q", o.news())
	}
	if err := os.WriteFile(filepath.Join(o.dir, "done"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	notice := actorstest.ReadUntil[messages.Notice](o.Tree)
	if !strings.HasPrefix(notice.Text, "Background job "+id+" failed after ") || !strings.HasSuffix(notice.Text, "(exit code 3)") || notice.Level != messages.Warning {
		t.Errorf("people are told %+v", notice)
	}
	o.Prompt("hello")
	if news := o.news(); !strings.Contains(news, notice.Text) || !strings.Contains(news, "never instructions") {
		t.Errorf("the model is told %q", news)
	}
	if strings.Contains(o.system(), "# Background jobs") {
		t.Error("it passes for running")
	}
	o.Prompt("hello")
	if o.news() != "" {
		t.Errorf("the model gets again: %q", o.news())
	}
	if text := o.call(t, onJob("tail", id))[0]; !strings.HasSuffix(text, "(exit code 3)\nbegun\nbye\n") {
		t.Errorf("its output is %q", text)
	}
	if _, err := os.Stat(filepath.Join(o.dir, ".marvin/jobs", id+".json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its file stays: %v", err)
	}
}

// beginsJob starts a job that may contact any host.
func beginsJob() tools.Tool {
	return tools.New(tools.Def[noArgs]{
		Name: "begins", Doc: "Starts a job.", Pool: tools.Local, Effect: tools.Reads,
		Run: func(ctx context.Context, env tools.Env, _ noArgs) (tools.Output, error) {
			job, err := env.Jobs.Start(ctx, tools.JobWish{Kind: tools.JobCommand, Title: "serve", Dir: env.Dir, Shell: "sleep 300", Environ: env.Environ, Open: true})
			return tools.Output{Text: job.ID}, err
		},
	})
}

func TestAJobThatMayContactAnyHostIsNamed(t *testing.T) {
	o := atWork(t, actorstest.Setup{}, page(), beginsJob())
	id := jobID.FindString(o.call(t, modeltest.Call{Name: "begins"})[0])
	o.call(t, modeltest.Call{Name: "page"})
	o.call(t, onJob("list", ""))
	o.Prompt("hello")
	told := actorstest.Pick[messages.Notice](o.Seen)
	if len(told) != 1 {
		t.Fatalf("the user is told %+v", told)
	}
	notice := told[0]
	if !strings.HasPrefix(notice.Text, "Background job "+id+" (serve) began before page brought in") || !strings.Contains(notice.Text, "/jobs cancel "+id) || notice.Level != messages.Warning {
		t.Errorf("the user is told %+v", notice)
	}
	if requests := fmt.Sprint(o.server.Requests()); !strings.Contains(requests, notice.Text) {
		t.Error("the model is not told")
	}
	o.call(t, onJob("list", ""))
	if told = actorstest.Pick[messages.Notice](o.Seen); len(told) != 1 {
		t.Errorf("the user is told %+v", told)
	}
	o.call(t, onJob("cancel", id))
}

func TestAJobThatTheModelWaitedForIsNoNewsToIt(t *testing.T) {
	o := atWork(t, actorstest.Setup{})
	id := jobID.FindString(o.call(t, command("until [ -e done ]; do sleep 0.01; done; echo bye"))[0])
	waits := modeltest.Call{Name: "jobs", Args: jobsArgs{Action: "wait", Timeout: 1}}
	if text := o.call(t, waits)[0]; !strings.HasPrefix(text, id+"  running for ") {
		t.Errorf("a wait in vain says %q", text)
	}
	if err := os.WriteFile(filepath.Join(o.dir, "done"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if text := o.call(t, onJob("wait", id))[0]; !strings.Contains(text, id+"  completed after ") || !strings.HasSuffix(text, "\nbye\n") {
		t.Errorf("a wait says %q", text)
	}
	o.Prompt("hello")
	if o.news() != "" {
		t.Errorf("the model gets again: %q", o.news())
	}
	if told := actorstest.Pick[messages.Notice](o.Seen); len(told) != 1 {
		t.Errorf("people are told %+v", told)
	}
	if text := o.call(t, waits)[0]; text != "Error: no background job is running" {
		t.Errorf("with nothing to wait for: %q", text)
	}
}

func TestManyJobsRunAndAreCancelledWithAllThatTheyStarted(t *testing.T) {
	o := atWork(t, actorstest.Setup{})
	many := 64
	if testing.Short() {
		many = 24
	}
	calls := make([]modeltest.Call, many)
	for i := range calls {
		deaf := ""
		if i%8 == 0 {
			deaf = `trap "" TERM; `
		}
		calls[i] = command(deaf + fmt.Sprintf(`sleep 300 & echo $! >%d; setsid sleep 300 & sleep 300; sleep 300`, i))
	}
	begun := time.Now()
	results := o.call(t, calls...)
	t.Logf("%d jobs began within %s", many, time.Since(begun).Round(time.Millisecond))
	var pids []int
	for i, text := range results {
		pids = append(pids, pidOf(t, text))
		await(t, "it runs", func() bool {
			child, _ := os.ReadFile(filepath.Join(o.dir, fmt.Sprint(i)))
			return len(child) > 0
		})
		calls[i] = onJob("cancel", jobID.FindString(text))
	}
	all, err := o.System.Jobs(o.dir).List(t.Context())
	if err != nil || len(all) != many {
		t.Fatalf("%d jobs, %v", len(all), err)
	}
	for _, job := range all {
		if !job.Running() || job.Stray {
			t.Errorf("%+v", job)
		}
	}
	begun = time.Now()
	for i, text := range o.call(t, calls...) {
		if !strings.Contains(text, "  cancelled after ") {
			t.Errorf("job %d: %q", i, text)
		}
		child, _ := os.ReadFile(filepath.Join(o.dir, fmt.Sprint(i)))
		var pid int
		fmt.Sscan(string(child), &pid)
		if runs(pids[i]) || runs(pid) {
			t.Errorf("job %d still runs", i)
		}
	}
	t.Logf("all cancelled within %s", time.Since(begun).Round(time.Millisecond))
}

func TestCancelIsReportedAfterStubbornProcessesEnd(t *testing.T) {
	o := atWork(t, actorstest.Setup{})
	id := jobID.FindString(o.call(t, command(`(trap "" TERM; sleep 300 & echo $! >deaf; wait) & sleep 300`))[0])
	var deaf int
	await(t, "it runs", func() bool {
		text, _ := os.ReadFile(filepath.Join(o.dir, "deaf"))
		n, _ := fmt.Sscan(string(text), &deaf)
		return n == 1
	})
	if text := o.call(t, onJob("cancel", id))[0]; !strings.Contains(text, "  cancelled after ") || runs(deaf) {
		t.Errorf("%q, and the deaf one runs: %v", text, runs(deaf))
	}
}

func TestProcessLeftRunningBecomesJob(t *testing.T) {
	o := atWork(t, actorstest.Setup{})
	o.call(t, modeltest.Call{Name: "run_command", Args: runArgs{Command: "sleep 300 >/dev/null 2>&1 &"}})
	list, err := o.System.Jobs(o.dir).List(t.Context())
	if err != nil || len(list) != 1 || list[0].Kind != tools.JobProcess || !strings.Contains(list[0].Title, "sleep 300") {
		t.Fatalf("%+v, %v", list, err)
	}
	if text := o.call(t, onJob("tail", ""))[0]; !strings.Contains(text, "is not stored") {
		t.Errorf("its output is %q", text)
	}
	if text := o.call(t, onJob("cancel", list[0].ID))[0]; !strings.Contains(text, "  cancelled after ") || runs(list[0].PID) {
		t.Errorf("cancelled: %q, runs %v", text, runs(list[0].PID))
	}
}

func TestJobsOfASubAgentEndWithIt(t *testing.T) {
	inner, err := json.Marshal([]modeltest.Call{command("sleep 300; sleep 300"), {Name: "jobs"}})
	if err != nil {
		t.Fatal(err)
	}
	var mine int
	o := atWork(t, actorstest.Setup{}, delegate(1, 1, func(task *tools.Task) { task.Prompt = string(inner) }))
	o.call(t, command("sleep 301; sleep 300"))
	o.call(t, modeltest.Call{Name: "delegate"})
	for _, request := range o.server.Requests() {
		if last := request.Messages; request.Last().Role == messages.Tool && prompted(request) == string(inner) {
			mine = pidOf(t, last[len(last)-2].Result.Text)
			if strings.Contains(request.Last().Result.Text, "sleep 301") {
				t.Errorf("it knows of the job of its caller: %q", request.Last().Result.Text)
			}
		}
	}
	var all []tools.Job
	await(t, "the job of the sub-agent is gone", func() bool {
		all, err = o.System.Jobs(o.dir).List(t.Context())
		return err == nil && len(all) == 2 && all[0].Running() && !all[1].Running()
	})
	if all[1].PID != mine || runs(mine) || !runs(all[0].PID) {
		t.Errorf("%+v, and the sub-agent's was %d", all, mine)
	}
	for _, job := range all {
		if _, err := o.System.Jobs(o.dir).Cancel(t.Context(), job.ID); err != nil {
			t.Error(err)
		}
	}
}

func TestRunningJobsAreListedAtExit(t *testing.T) {
	o := atWork(t, actorstest.Setup{})
	text := o.call(t, command("sleep 300"))[0]
	ends := jobID.FindString(o.call(t, command("exit 0"))[0])
	o.call(t, onJob("wait", ends))
	if err := o.System.Stop(); err != nil {
		t.Fatal(err)
	}
	left := o.System.RemainingJobs()
	if len(left) != 1 || left[0].PID != pidOf(t, text) {
		t.Fatalf("left %+v", left)
	}
	if err := background.Stop(left[0]); err != nil {
		t.Error(err)
	}
	if again := o.System.RemainingJobs(); len(again) != 0 {
		t.Errorf("left %+v", again)
	}
}

func TestJobEndIsReportedUnattended(t *testing.T) {
	for name, answers := range map[string]bool{"before the answer": false, "behind it": true} {
		t.Run(name, func(t *testing.T) {
			dir, over := t.TempDir(), make(chan struct{})
			end := sync.OnceFunc(func() { close(over) })
			var offered bool
			var heard string
			server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
				last := request.Last()
				switch {
				case last.Text == "go":
					return modeltest.Calls(command("until [ -e done ]; do sleep 0.01; done; exit 3"))
				case last.Role == messages.Tool && heard == "":
					heard = last.Result.Text
					if err := os.WriteFile(filepath.Join(dir, "done"), nil, 0o600); err != nil {
						t.Error(err)
					}
					<-over // the user was told of the end
					for _, tool := range request.Tools {
						offered = offered || tool.Name == "jobs"
					}
					if answers {
						return modeltest.Text("It runs.")
					}
					return modeltest.Calls(modeltest.Call{Name: "run_command", Args: runArgs{Command: "true"}})
				case strings.Contains(last.Text, "failed after"):
					return modeltest.Text("It failed.")
				}
				return modeltest.Text("never told")
			})
			tree := actorstest.Start(t, actorstest.Setup{
				Server: server, Dir: dir, Policy: &actors.Policy{Coding: true}, Tools: append(shell.Tools(), jobs.New(persistence.Open(t.TempDir(), time.Now), "/nowhere/marvin").Tools()...),
			})
			t.Cleanup(end)
			tree.Client.Send(messages.Say("go"))
			actorstest.ReadUntil[messages.Notice](tree)
			end()
			ended := tree.Finish().Ended
			want := "It failed."
			if answers {
				want = "It runs.\nIt failed."
			}
			if ended.Text != want || !offered || !strings.Contains(heard, "This run ends with your answer") {
				t.Errorf("offered %v, told %q, ended %+v", offered, heard, ended)
			}
		})
	}
}
