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

	"go.uber.org/goleak"

	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/background"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// refusing is the background work of a conversation that must not begin any.
type refusing struct{ t *testing.T }

func (r refusing) Start(_ context.Context, wish tools.JobWish) (tools.Job, error) {
	r.t.Errorf("%v was started", wish)
	return tools.Job{}, errors.New("no")
}
func (refusing) List(context.Context) ([]tools.Job, error)           { return nil, nil }
func (refusing) Wait(context.Context, []string) ([]tools.Job, error) { return nil, nil }
func (refusing) Cancel(context.Context, string) (tools.Job, error)   { return tools.Job{}, nil }
func (refusing) Write(context.Context, string, string, bool) error   { return nil }
func (refusing) MarkRead(...string)                                  {}
func (refusing) AddLeft(string, []tools.LeftProcess)                 {}
func (refusing) Refused(string, string)                              {}

// run decodes a call as a model makes it, and runs it.
func run(t *testing.T, env tools.Env, name, args string) (string, error) {
	t.Helper()
	env.Now, env.Progress = time.Now, func(string) {}
	for _, tool := range New(persistence.Open(t.TempDir(), time.Now), "/bin/marvin").Tools() {
		if tool.Name == name {
			call, err := tool.Decode(json.RawMessage(args))
			if err != nil {
				return "", err
			}
			output, err := call.Run(t.Context(), env)
			return output.Text, err
		}
	}
	t.Fatalf("no tool %s", name)
	return "", nil
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func TestReviewErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), "package main\n")
	write(t, filepath.Join(dir, "empty", ".git", "HEAD"), "ref: refs/heads/main\n")
	here := tools.Env{Dir: dir, Conversation: tools.Conversation{Provider: "openai", Jobs: refusing{t}}}
	change := func(change func(*tools.Env)) tools.Env { env := here; change(&env); return env }
	for name, c := range map[string]struct {
		env        tools.Env
		args, want string
	}{
		"a Marvin of another": {change(func(e *tools.Env) { e.Environ = []string{"MARVIN_DEPTH=1"} }), `{}`, "MARVIN_DEPTH"},
		"a sub-agent":         {change(func(e *tools.Env) { e.Agent = true }), `{}`, "Read the code yourself"},
		"a depth of words":    {change(func(e *tools.Env) { e.Environ = []string{"MARVIN_DEPTH=deep"} }), `{}`, "MARVIN_DEPTH"},
		"nobody looks after":  {change(func(e *tools.Env) { e.Jobs = nil }), `{}`, "background work is not available"},
		"no model":            {change(func(e *tools.Env) { e.Provider = "offline" }), `{}`, "needs a model"},
		"no directory set":    {change(func(e *tools.Env) { e.Dir = "" }), `{}`, "set_working_dir"},
		"no such directory":   {here, `{"working_dir":"nowhere"}`, "nowhere is not a directory"},
		"a file":              {here, `{"dir":"main.go"}`, "is not a directory"},
		"nothing matches":     {here, `{"focus":"*.rs"}`, `no file to review in ` + dir + ` with focus "*.rs"`},
		"nothing there":       {here, `{"working_dir":"empty"}`, "no file to review"},
		"no glob":             {here, `{"focus":"[a"}`, "is not a glob"},
		"too much to say":     {here, `{"prompt":"` + strings.Repeat("x", contextBytes+1) + `"}`, "Write the text into a file"},
	} {
		if text, err := run(t, c.env, "review_codebase", c.args); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestTheFiguresOfAProject(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{"a.go", "b_test.go", "src/c.go", "src/deep/d.go", "ref/guide.md", "ref/more/x.md", "node_modules/x.js", ".git/config", "vendor/v.go"} {
		write(t, filepath.Join(dir, path), "")
	}
	write(t, filepath.Join(dir, ".git/HEAD"), "ref: refs/heads/feature/x\n")
	if err := os.Symlink("/etc", filepath.Join(dir, "outside")); err != nil {
		t.Fatal(err)
	}
	for focus, files := range map[string]int{"all": 4, "tests": 4, "*.go": 4, "src/**/*.go": 2, "src/*.go": 1, "*_test.go": 1, "**/d.go": 1, "*.js": 0} {
		found, err := survey(t.Context(), dir, focus, "ref")
		if err != nil || found.files != files || found.references != 2 || found.branch != "feature/x" {
			t.Errorf("%s: %+v, %v", focus, found, err)
		}
	}
}

func TestAReviewOfAnEarlierMarvinIsShown(t *testing.T) {
	dir := t.TempDir()
	if _, err := run(t, tools.Env{Dir: dir}, "review_status", `{}`); err == nil || !strings.Contains(err.Error(), "review_codebase begins one") {
		t.Errorf("without any: %v", err)
	}
	// F11, as the Python Marvin wrote it.
	write(t, filepath.Join(dir, ".marvin/jobs/review-1.json"), `{"id":"review-1","type":"code-review","status":"completed","started_at":1712345678,"working_dir":"/gone","round":2,"result":"Two issues.","error":null}`)
	write(t, filepath.Join(dir, ".marvin/jobs/review-2.json"), `{"id":"review-2","type":"code-review","status":"running","started_at":1712345679,"pid":0,"error":null}`)
	for args, want := range map[string]string{
		`{"job_id":"review-1"}`: "Two issues.", `{}`: "review-2  dead", `{"id":"review-2"}`: "does not know how the review ended",
	} {
		if text, err := run(t, tools.Env{Dir: dir}, "review_status", args); err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: %q, %v", args, text, err)
		}
	}
	if _, err := run(t, tools.Env{Dir: dir}, "review_status", `{"job_id":"review-3"}`); !errors.Is(err, joblist.ErrNoJob) || !strings.Contains(err.Error(), "Reviews here: review-1, review-2") {
		t.Errorf("another: %v", err)
	}
}

// A Marvin that runs one tool and leaves can still see and end what others began.
func TestJobsWithoutAConversation(t *testing.T) {
	dir, home := t.TempDir(), persistence.Open(t.TempDir(), time.Now)
	running, err := background.Start(home, tools.JobWish{Kind: tools.JobCommand, Title: "a server", Dir: dir, Shell: "echo up; sleep 300", Environ: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	id := running.Job.ID
	waited := make(chan struct{})
	go func() { running.Wait(context.Background()); close(waited) }()
	env := tools.Env{Dir: dir}
	for args, want := range map[string]string{
		`{}`: id + "  running for ", `{"action":"wait","timeout":1}`: id + "  running for ", `{"action":"tail","job_id":"cmd-other"}`: "no such background job",
		`{"action":"none"}`: `action must be one of "list"`,
	} {
		if text, err := run(t, env, "jobs", args); !strings.Contains(fmt.Sprint(text, err), want) {
			t.Errorf("%s: %q, %v", args, text, err)
		}
	}
	if text, err := run(t, env, "jobs", `{"action":"cancel"}`); !strings.HasPrefix(text, id+"  cancelled after ") || background.Alive(running.Job) {
		t.Errorf("cancel: %q, %v", text, err)
	}
	<-waited
	if text, _ := run(t, env, "jobs", `{}`); text != "There are no background jobs." {
		t.Errorf("afterwards: %q", text)
	}
}
