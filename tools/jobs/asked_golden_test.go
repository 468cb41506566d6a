package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/background"
)

// noting notes what a conversation is asked of its jobs.
type noting struct {
	remembered
	said *strings.Builder
}

func (n noting) Start(ctx context.Context, wish tools.JobWish) (tools.Job, error) {
	fmt.Fprintf(n.said, "> start %s %q in %s: %s %q, env %q, limit %s, ticket %q, branch %q, %d files, %d references, %d looks\n",
		wish.Kind, wish.Title, wish.Dir, wish.Program, wish.Args, wish.Env, wish.Limit, wish.Ticket, wish.Branch, wish.Files, wish.References, wish.Looks)
	_, err := n.remembered.Start(ctx, wish)
	return tools.Job{ID: "review-9", PID: 99}, err
}

func (n noting) List(ctx context.Context) ([]tools.Job, error) {
	if strings.Contains(n.fails, "half") {
		return n.jobs, errTold
	}
	return n.remembered.List(ctx)
}

func (n noting) Wait(ctx context.Context, ids []string) ([]tools.Job, error) {
	_, bounded := ctx.Deadline()
	fmt.Fprintf(n.said, "> wait for %q, bounded %t\n", ids, bounded)
	if strings.Contains(n.fails, "ends") {
		now := n.jobs[0]
		now.State, now.Note, now.Ended = tools.JobFailed, "exit code 4", now.Started.Add(time.Minute)
		return []tools.Job{now}, nil
	}
	if strings.Contains(n.fails, "grows") {
		return n.jobs, os.WriteFile(n.jobs[0].Log, []byte("one\nnone of that\n"), 0o600)
	}
	if strings.Contains(n.fails, "silent") {
		return nil, errTold
	}
	return n.remembered.Wait(ctx, ids)
}

func (n noting) Cancel(ctx context.Context, id string) (tools.Job, error) {
	fmt.Fprintf(n.said, "> cancel %s\n", id)
	return n.remembered.Cancel(ctx, id)
}

func (n noting) Write(ctx context.Context, id, text string, end bool) error {
	fmt.Fprintf(n.said, "> write %q to %s, end %t\n", text, id, end)
	return n.remembered.Write(ctx, id, text, end)
}

func (n noting) MarkRead(ids ...string) { fmt.Fprintf(n.said, "> told %q\n", ids) }

// asking is a conversation with jobs that left output, and what its calls come to.
type asking struct {
	home       *persistence.Home
	dir, other string
	now        time.Time
	out        strings.Builder
}

// job is one whose output is there; without state it runs.
func (a *asking) job(t *testing.T, id string, kind tools.JobKind, state tools.JobState, output string) tools.Job {
	t.Helper()
	files := joblist.New(a.home, a.dir)
	job := tools.Job{ID: id, Kind: kind, Title: "work", Dir: a.dir, PID: 7, State: state, Started: a.now.Add(-90 * time.Second), Log: files.LogPath(id)}
	write(t, job.Log, output)
	if state != tools.JobRunning {
		job.Ended, job.Note = a.now.Add(-30*time.Second), "exit code 1"
	}
	return job
}

func (a *asking) call(t *testing.T, ctx context.Context, env tools.Env, fails, name, args string, jobs ...tools.Job) {
	t.Helper()
	env.Now, env.Progress = func() time.Time { return a.now }, func(text string) { fmt.Fprintf(&a.out, "> shown %s\n", text) }
	if env.Jobs == nil {
		env.Jobs = noting{remembered{jobs, fails}, &a.out}
	}
	fmt.Fprintf(&a.out, "# %s %s %s\n", name, args, fails)
	for _, tool := range New(a.home, "/bin/marvin").Tools() {
		if tool.Name != name {
			continue
		}
		call, err := tool.Decode(json.RawMessage(args))
		if err != nil {
			fmt.Fprintf(&a.out, "not decoded: %v\n", err)
			return
		}
		if call.Confirm != nil {
			title, detail := call.Confirm(env)
			fmt.Fprintf(&a.out, "? %s %q\n", title, detail)
		}
		output, err := call.Run(ctx, env)
		fmt.Fprintf(&a.out, "within %s, empty %t, offers %q, error %v\n%s", call.Timeout, output.Empty, output.Offer, err, output.Text)
		if !strings.HasSuffix(output.Text, "\n") {
			a.out.WriteString("\n")
		}
	}
}

func TestJobsTool(t *testing.T) {
	now := time.Unix(1_700_000_090, 0)
	a := &asking{home: persistence.Open(t.TempDir(), time.Now), dir: tools.ResolveLinks(t.TempDir()), other: tools.ResolveLinks(t.TempDir()), now: now}
	runs, over := a.job(t, "cmd-1", tools.JobCommand, tools.JobRunning, "one\ntwo\nasks: "), a.job(t, "cmd-2", tools.JobCommand, tools.JobFailed, strings.Repeat("line\n", 5))
	mute, full := a.job(t, "cmd-3", tools.JobCommand, tools.JobRunning, ""), a.job(t, "cmd-4", tools.JobCommand, tools.JobCompleted, strings.Repeat("line\n", 60))
	stray, lost := over, runs
	stray.ID, stray.Stray, lost.ID = "cmd-5", true, "cmd-6" // neither has a file
	bare := runs
	bare.ID, bare.Log = "cmd-7", ""
	ctx, env := t.Context(), tools.Env{Dir: a.dir}
	for _, row := range []struct {
		fails, args string
		jobs        []tools.Job
	}{
		{"", `{}`, []tools.Job{runs, over, stray}},
		{"half", `{}`, []tools.Job{runs}},
		{"half", `{}`, nil},
		{"", `{"action":"tail","job_id":"cmd-2","lines":2}`, []tools.Job{runs, over}},
		{"", `{"action":"tail","job_id":"cmd-4"}`, []tools.Job{full}},
		{"", `{"action":"tail","job_id":"cmd-4","since":200}`, []tools.Job{full}},
		{"", `{"action":"tail"}`, []tools.Job{mute}},
		{"", `{"action":"tail"}`, []tools.Job{lost}},
		{"", `{"action":"tail"}`, []tools.Job{bare}},
		{"", `{"action":"tail","job_id":"cmd-5"}`, []tools.Job{stray}},
		{"", `{"action":"cancel"}`, []tools.Job{runs, over}},
		{"", `{"action":"cancel","job_id":"cmd-2"}`, []tools.Job{runs, over}},
		{"cancel", `{"action":"cancel"}`, []tools.Job{runs}},
		{"", `{"action":"wait","timeout":30}`, []tools.Job{runs, mute}},
		{"ends", `{"action":"wait"}`, []tools.Job{runs, over}},
		{"", `{"action":"wait","job_id":"cmd-2"}`, []tools.Job{runs, over}},
		{"ends", `{"pattern":"^none"}`, []tools.Job{runs}},
		{"silent", `{"pattern":"^none"}`, []tools.Job{runs}},
		{"grows", `{"pattern":"^none"}`, []tools.Job{mute}},
		{"", `{"pattern":"asks"}`, []tools.Job{runs}},
		{"", `{"action":"tail","pattern":"asks"}`, []tools.Job{runs}},
		{"", `{"action":"wait","timeout":601}`, []tools.Job{runs}},
	} {
		a.call(t, ctx, env, row.fails, "jobs", row.args, row.jobs...)
	}
	for _, row := range []struct {
		fails, args string
		jobs        []tools.Job
	}{
		{"half", `{"text":"y\n"}`, []tools.Job{runs}},
		{"half", `{"text":"y\n"}`, nil},
		{"", `{"text":"y\n","end":true}`, []tools.Job{runs, over}},
		{"ends", `{"text":"y\u001b","job_id":"cmd-1"}`, []tools.Job{runs, mute}},
		{"wait", `{"text":"y"}`, []tools.Job{runs}},
		{"write", `{"text":"y"}`, []tools.Job{runs}},
		{"no input", `{"text":"y"}`, []tools.Job{runs}},
		{"", `{"text":"y","job_id":"cmd-2"}`, []tools.Job{runs, over}},
		{"", `{"text":"y"}`, []tools.Job{lost}},
		{"", `{"text":"y"}`, []tools.Job{runs, mute}},
	} {
		a.call(t, ctx, env, row.fails, "job_input", row.args, row.jobs...)
	}
	write(t, mute.Log, "")
	stopped, stop := context.WithCancelCause(ctx)
	stop(errors.New("the person said stop"))
	for _, args := range []string{`{"action":"wait"}`, `{"pattern":"^none"}`, `{"action":"tail"}`} {
		a.call(t, stopped, env, "", "jobs", args, runs)
	}
	a.call(t, stopped, env, "", "review_codebase", `{}`)
	a.hold(t, "asked.golden")
}

// hold compares the output with a golden file; times and places are replaced by names.
func (a *asking) hold(t *testing.T, name string) {
	t.Helper()
	text := strings.NewReplacer(a.dir, "DIR", a.other, "OTHER").Replace(a.out.String())
	goldentest.Assert(t, name, text, os.Getenv("UPDATE_GOLDEN") != "")
}

func TestReviewTools(t *testing.T) {
	now := time.Unix(1_700_000_090, 0)
	a := &asking{home: persistence.Open(t.TempDir(), time.Now), dir: tools.ResolveLinks(t.TempDir()), other: tools.ResolveLinks(t.TempDir()), now: now}
	for _, name := range []string{"a.go", "b_test.go", "ref/x.md"} {
		write(t, filepath.Join(a.dir, name), "")
	}
	write(t, filepath.Join(a.dir, ".git/HEAD"), "ref: refs/heads/main\n")
	review, elsewhere := a.job(t, "review-1", tools.JobReview, tools.JobRunning, "  🔧 tree\nso far"), a.job(t, "review-2", tools.JobReview, tools.JobCompleted, "  🔧 tree\nWell.\n")
	elsewhere.Dir, elsewhere.Stray = a.other, true
	command := a.job(t, "cmd-1", tools.JobCommand, tools.JobRunning, "")
	env := tools.Env{Dir: a.dir, Root: a.dir}
	env.Provider, env.Model = "ollama", "qwen"
	both := env
	both.Beyond = []string{a.other}
	agent := env
	agent.Agent = true
	offline := env
	offline.Provider = "offline"
	person := env
	person.Person = true
	for _, row := range []struct {
		env         tools.Env
		fails, args string
	}{
		{env, "", `{}`},
		{person, "", `{"focus":"*_test.go","context":"the parser","max_rounds":1,"ticket_id":"t-1"}`},
		{env, "start", `{}`},
		{agent, "", `{}`},
		{offline, "", `{}`},
		{env, "", `{"focus":"["}`},
		{env, "", `{"focus":"*.none"}`},
		{env, "", `{"working_dir":"` + a.other + `"}`},
		{env, "", `{"working_dir":"none"}`},
		{env, "", `{"context":"` + strings.Repeat("x", contextBytes) + `","focus":"*.none"}`},
		{env, "", `{"context":"` + strings.Repeat("x", contextBytes+1) + `","focus":"*.none"}`},
		{tools.Env{}, "", `{}`},
		{tools.Env{}, "", `{"working_dir":"` + a.dir + `"}`},
	} {
		a.call(t, t.Context(), row.env, row.fails, "review_codebase", row.args)
	}
	for _, row := range []struct {
		fails, args string
		jobs        []tools.Job
	}{
		{"", `{}`, []tools.Job{review, elsewhere, command}},
		{"half", `{}`, []tools.Job{review}},
		{"half", `{}`, nil},
		{"", `{"job_id":"cmd-1"}`, []tools.Job{review, command}},
		{"", `{"working_dir":"."}`, []tools.Job{review}},
		{"", `{"working_dir":"` + a.other + `"}`, []tools.Job{review, elsewhere}},
		{"", `{"working_dir":"none"}`, []tools.Job{review}},
	} {
		a.call(t, t.Context(), env, row.fails, "review_status", row.args, row.jobs...)
	}
	for _, row := range []struct {
		fails string
		jobs  []tools.Job
	}{{"", []tools.Job{review, elsewhere}}, {"half", []tools.Job{review, elsewhere}}, {"half", []tools.Job{review}}} {
		a.call(t, t.Context(), both, row.fails, "review_status", `{"working_dir":"`+a.other+`"}`, row.jobs...)
	}
	a.out.WriteString("# without jobs\n")
	for _, args := range []string{`{}`, `{"job_id":"review-1"}`} {
		a.call(t, t.Context(), tools.Env{Dir: a.dir, Conversation: tools.Conversation{Jobs: background.Records(a.home, a.dir)}}, "", "review_status", args)
	}
	text := strings.ReplaceAll(a.out.String(), strings.Repeat("x", contextBytes), "MUCH")
	a.out.Reset()
	a.out.WriteString(text)
	a.hold(t, "reviews.golden")
}
