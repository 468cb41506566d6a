package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/background"
)

// remembered is the background work of a conversation with these jobs; the named requests fail.
type remembered struct {
	jobs  []tools.Job
	fails string
}

var errTold = errors.New("the conversation does not answer")

func (r remembered) said(what string) error {
	if strings.Contains(r.fails, what) {
		return errTold
	}
	return nil
}

func (r remembered) Start(context.Context, tools.JobWish) (tools.Job, error) {
	return tools.Job{}, r.said("start")
}

func (r remembered) List(context.Context) ([]tools.Job, error) {
	if err := r.said("list"); err != nil {
		return nil, err
	}
	return r.jobs, nil
}

func (r remembered) Wait(context.Context, []string) ([]tools.Job, error) {
	return r.jobs, r.said("wait")
}

func (r remembered) Cancel(_ context.Context, id string) (tools.Job, error) {
	return tools.Job{ID: id, State: tools.JobCancelled, Title: "sleep"}, r.said("cancel")
}

func (r remembered) Write(context.Context, string, string, bool) error {
	if strings.Contains(r.fails, "no input") {
		return background.ErrNoInput
	}
	return r.said("write")
}
func (remembered) MarkRead(...string)                  {}
func (remembered) AddLeft(string, []tools.LeftProcess) {}
func (remembered) Refused(string, string)              {}

func TestJobSelection(t *testing.T) {
	job := func(id string, running bool) tools.Job {
		state := tools.JobCompleted
		if running {
			state = tools.JobRunning
		}
		return tools.Job{ID: id, State: state}
	}
	none, one, two := []tools.Job{job("a", false)}, []tools.Job{job("a", false), job("b", true)}, []tools.Job{job("a", false), job("b", true), job("c", true)}
	for _, row := range []struct {
		all        []tools.Job
		id, action string
		want       string
	}{
		{two, "a", "tail", "a"},
		{two, "c", "cancel", "c"},
		{one, "", "cancel", "b"},
		{one, "", "wait", "b"},
		{two, "", "wait", "b, c"},
		{two, "", "cancel", "2 jobs are running; say which one\nGive one of these in \"job_id\": b, c"},
		{none, "", "wait", "no background job is running"},
		{nil, "", "tail", "no background job is running"},
		{nil, "x\x1b", "tail", "no such background job: x‹U+001B›\nThere are no background jobs here."},
		{two, "x", "wait", "no such background job: x\nJobs: a, b, c"},
	} {
		found, err := find(row.all, row.id, row.action)
		got := ids(found)
		if err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("%s %q: %s, want %s", row.action, row.id, got, row.want)
		}
	}
	now := current([]tools.Job{job("b", false), job("x", true)}, []tools.Job{job("a", true), job("b", true)})
	if ids(now) != "a, b" || !now[0].Running() || now[1].Running() {
		t.Errorf("as they are now: %+v", now)
	}
	for _, row := range []struct {
		reviews []tools.Job
		id      string
		want    string
	}{{two, "a", "a"}, {two, "", "b, c"}, {append(none, job("z", false)), "", "z"}, {nil, "a", "no code review of this project was found\nreview_codebase begins one."}, {one, "x", "no such background job: x\nReviews here: a, b"}} {
		found, err := pick(row.reviews, row.id)
		got := ids(found)
		if err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("review %q: %s, want %s", row.id, got, row.want)
		}
	}
}

func TestJobStatus(t *testing.T) {
	running := tools.Job{ID: "cmd-1", State: tools.JobRunning, Title: "serve", Kind: tools.JobCommand, PID: 7}
	ended := tools.Job{ID: "cmd-2", State: tools.JobCompleted, Title: "make", Kind: tools.JobCommand, Note: "exit code 0"}
	for _, row := range []struct {
		tool, args, fails string
		jobs              []tools.Job
		want              string
		is                error
	}{
		{"jobs", `{}`, "list", nil, "", errTold},
		{"jobs", `{}`, "", nil, "There are no background jobs.", nil},
		{"jobs", `{"action":"tail"}`, "", nil, "", nil},
		{"jobs", `{"action":"cancel","job_id":"cmd-2"}`, "cancel", []tools.Job{ended}, "It had ended already.\ncmd-2  completed: make (exit code 0)\n", nil},
		{"jobs", `{"action":"cancel"}`, "", []tools.Job{running}, "cmd-1  cancelled: sleep\n", nil},
		{"jobs", `{"action":"cancel"}`, "cancel", []tools.Job{running}, "", errTold},
		{"jobs", `{"action":"wait","timeout":1}`, "wait", []tools.Job{running}, "", errTold},
		{"jobs", `{"action":"wait","job_id":"cmd-2"}`, "wait", []tools.Job{ended}, "cmd-2  completed: make (exit code 0)\n", nil},
		{"jobs", `{"pattern":"("}`, "", []tools.Job{running}, "", nil},
		{"jobs", `{"pattern":"x"}`, "", []tools.Job{running, {ID: "cmd-3", State: tools.JobRunning}}, "", nil},
		{"job_input", `{"text":"y"}`, "list", nil, "", errTold},
		{"job_input", `{"text":"y"}`, "", nil, "", nil},
		{"job_input", `{"text":"y","job_id":"cmd-2"}`, "", []tools.Job{ended}, "", nil},
		{"job_input", `{"text":"y"}`, "", []tools.Job{running}, "", nil},
		{"review_status", `{}`, "list", nil, "", errTold},
		{"review_status", `{"working_dir":"/none/at/all"}`, "", nil, "", nil},
	} {
		env := tools.Env{Dir: t.TempDir(), Conversation: tools.Conversation{Jobs: remembered{row.jobs, row.fails}}}
		text, err := run(t, env, row.tool, row.args)
		if row.want == "" && err == nil || row.want != "" && (err != nil || !strings.HasPrefix(text, row.want)) || row.is != nil && !errors.Is(err, row.is) {
			t.Errorf("%s %s: %q, %v", row.tool, row.args, text, err)
		}
	}
	for args, want := range map[string]string{
		`{"pattern":"(","job_id":"cmd-1"}`: "pattern: error parsing regexp: missing closing ): `(`\nGive a regular expression in Go's syntax, such as (?i)listening on.",
		`{"pattern":"x"}`:                  "2 jobs are running; say which one\nGive one of these in \"job_id\": cmd-1, cmd-3",
	} {
		both := remembered{jobs: []tools.Job{running, {ID: "cmd-3", State: tools.JobRunning}}}
		if _, err := run(t, tools.Env{Dir: t.TempDir(), Conversation: tools.Conversation{Jobs: both}}, "jobs", args); err == nil || err.Error() != want {
			t.Errorf("%s: %v", args, err)
		}
	}
	if _, err := run(t, tools.Env{Conversation: tools.Conversation{Jobs: remembered{}}}, "review_status", `{}`); err == nil || err.Error() != "no working directory is set\nGive working_dir, or call set_working_dir first." {
		t.Errorf("%v", err)
	}
}

// The output of a job that another Marvin began, and a line of it that is waited for.
func TestTheOutputOfAJob(t *testing.T) {
	home, dir := persistence.Open(t.TempDir(), time.Now), t.TempDir()
	service := New(home, "/bin/marvin")
	started, err := background.Start(home, tools.JobWish{Kind: tools.JobCommand, Title: "count", Dir: dir, Shell: "echo one; echo two; echo three", Environ: []string{"PATH=/usr/bin:/bin"}})
	if err != nil {
		t.Fatal(err)
	}
	started.Wait(t.Context())
	jobs, err := background.Recorded(home, dir)
	if err != nil || len(jobs) != 1 || jobs[0].Running() {
		t.Fatal(jobs, err)
	}
	job := jobs[0]
	ask := func(job tools.Job, args string) string {
		env := tools.Env{Dir: dir, Now: time.Now, Progress: func(string) {}, Conversation: tools.Conversation{Jobs: remembered{jobs: []tools.Job{job}}}}
		call, err := service.jobsTool().Decode(json.RawMessage(args))
		if err != nil {
			t.Fatal(err)
		}
		output, err := call.Run(t.Context(), env)
		if err != nil {
			return err.Error()
		}
		_, text, _ := strings.Cut(output.Text, "count")
		return strings.TrimPrefix(text[strings.IndexByte(text, '\n')+1:], "\n")
	}
	alive := job
	alive.State, alive.Dir = tools.JobRunning, dir
	inside := fmt.Sprintf("[to see all 14 bytes: read_file or code_grep with path %q", job.Log)
	if local, err := filepath.Rel(dir, job.Log); err == nil && filepath.IsLocal(local) {
		inside = fmt.Sprintf("[to see all 14 bytes: read_file or code_grep with path %q", local)
	}
	for _, row := range []struct {
		job  tools.Job
		args string
		want string
	}{
		{job, `{"action":"tail","job_id":"ID"}`, "one\ntwo\nthree\n"},
		{job, `{"action":"tail","job_id":"ID","since":8}`, "three\n"},
		{job, `{"action":"tail","job_id":"ID","since":14}`, "(nothing new)\n"},
		{alive, `{"action":"tail","job_id":"ID"}`, "one\ntwo\nthree\n" + inside + "; for later output, call jobs with \"action\": \"tail\" and \"since\": 14]\n"},
		{alive, `{"action":"tail","job_id":"ID","since":14}`, "(nothing new)\n" + inside + "; for later output, call jobs with \"action\": \"tail\" and \"since\": 14]\n"},
		{job, `{"pattern":"^tw","job_id":"ID"}`, "one\ntwo\nthree\n"},
		{job, `{"pattern":"^zw","job_id":"ID"}`, "one\ntwo\nthree\n"},
		{alive, `{"pattern":"^thr","job_id":"ID"}`, "one\ntwo\nthree\n" + inside + "; for later output, call jobs with \"action\": \"tail\" and \"since\": 14]\n"},
		{alive, `{"pattern":"^zw","job_id":"ID","timeout":1}`, "one\ntwo\nthree\n" + inside + "; for later output, call jobs with \"action\": \"tail\" and \"since\": 14]\n"},
	} {
		if got := ask(row.job, strings.Replace(row.args, "ID", job.ID, 1)); got != row.want {
			t.Errorf("%s: %q, want %q", row.args, got, row.want)
		}
	}
}
