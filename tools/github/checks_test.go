package github

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/toolstest"
)

func removed(environ []string, prefix string) (kept []string) {
	for _, one := range environ {
		if !strings.HasPrefix(one, prefix) {
			kept = append(kept, one)
		}
	}
	return kept
}

func gitIn(dir string, args ...string) proc.Command {
	return proc.Command{Name: "git", Args: append([]string{"-C", dir}, args...)}
}

func TestChecksSayWhatFailedAndWhy(t *testing.T) {
	g, env := plays(t)
	g.set(failedRuns)
	for n, args := range []string{`{}`, `{"ref":"7"}`, `{"ref":"` + headSHA + `"}`} {
		if n == 1 && testing.Short() {
			continue // TestAWatchEndsWithTheFirstFailure names a pull request
		}
		text := said(t, env, "github_checks", args)
		wants(t, text, "CI is red for "+g.host()+"/them/tool@6dcb09b: 2 of 4 checks failed, 1 still running",
			"test (linux): FAILED · 4m12s", "bench: FAILED (timed_out) · Too slow", "deploy: queued", "licence/cla: passed · signed",
			"failed step 4: Run go test ./...\n", "  | go test ./...\n", "  | --- FAIL: TestEmpty (0.00s)\n  |     parser_test.go:12: got \"\", want an error\n  | error: Process completed with exit code 1.\n",
			"  | It took\n  | more than an hour\n")
		if strings.Contains(text, "cleanup") || strings.Contains(text, "2026-01-27T19:05:2") || strings.Contains(text, "\x1b") {
			t.Errorf("%s", text)
		}
	}
	g.says("GET /api/v3/repos/them/tool/actions/jobs/42/logs", 410, `{"message":"Gone"}`)
	wants(t, said(t, env, "github_checks", `{}`), "failed step 4", "[the log is not available")
	if output, err := checks(t.Context(), env, checksArgs{}); err != nil || !slices.Equal(output.Offer, []string{"github_watch"}) {
		t.Errorf("while one is not over %q is offered, %v", output.Offer, err)
	}
	g.set(`[]`)
	if output, err := checks(t.Context(), env, checksArgs{}); err != nil || len(output.Offer) > 0 {
		t.Errorf("when all are over %q is offered, %v", output.Offer, err)
	}
	wants(t, said(t, env, "github_checks", `{}`), "CI is green")
}

func TestAWatchEndsWithTheFirstFailure(t *testing.T) {
	g, env := plays(t)
	g.set(runningRuns)
	var told []string
	text, red, err := Await(t.Context(), env, Watch{Ref: "7", Every: time.Millisecond, Say: func(line string) {
		if told = append(told, line); len(told) == 1 { // after a server error the request is repeated
			g.says("GET /api/v3/repos/them/tool/commits/"+headSHA+"/status?per_page=100", 502, `{"message":"Server Error"}`)
			return
		}
		g.mu.Lock()
		clear(g.replies)
		g.mu.Unlock()
		g.set(failedRuns)
	}})
	if err != nil || !red || len(told) != 2 || !strings.Contains(told[0], "test (linux): in_progress") || !strings.Contains(told[1], "GitHub has a problem: Server Error") {
		t.Errorf("%v, %v, %q", red, err, told)
	}
	wants(t, text, "CI is red", "failed step 4", "exit code 1")
	g.set(passedRuns)
	if text, red, err = Await(t.Context(), env, Watch{Ref: "7", Say: func(string) {}}); err != nil || red || !strings.Contains(text, "CI is green") {
		t.Errorf("%q, %v, %v", text, red, err)
	}
	for _, trouble := range []struct {
		status int
		want   string
	}{{502, "10 requests in a row failed"}, {404, "GitHub has nothing"}, {401, "gh is not logged in"}} {
		if trouble.status == 502 && testing.Short() {
			continue // gh starts twenty times
		}
		g.says("GET /api/v3/repos/them/tool/commits/"+headSHA+"/status?per_page=100", trouble.status, `{"message":"No"}`)
		_, _, err := Await(t.Context(), env, Watch{Ref: "7", Say: func(string) {}})
		toolstest.CheckError(t, err, trouble.want)
	}
}

// A commit has no checks at first. The watch waits for them for the given time, and not longer.
func TestChecksThatComeLateAreWaitedFor(t *testing.T) {
	g, env := plays(t)
	g.set(`[]`)
	g.says("GET /api/v3/repos/them/tool/commits/"+headSHA+"/status?per_page=100", 200, `{"state":"pending","statuses":[]}`)
	text, red, err := Await(t.Context(), env, Watch{Ref: "7", Say: func(string) {}})
	if err != nil || red {
		t.Errorf("nothing is waited for: %q, %v, %v", text, red, err)
	}
	none, told := text, 0
	text, red, err = Await(t.Context(), env, Watch{Ref: "7", Every: time.Millisecond, Empty: time.Hour, Say: func(string) {
		if told++; told == 1 {
			g.set(passedRuns)
		}
	}})
	if err != nil || red || told != 1 || text == none || !strings.Contains(text, "CI is green") {
		t.Errorf("told %d times: %q, %v, %v", told, text, red, err)
	}
}

// begun records the job that a watch starts.
type begun struct {
	tools.Jobs
	wish tools.JobWish
}

func (b *begun) Start(_ context.Context, wish tools.JobWish) (tools.Job, error) {
	b.wish = wish
	return tools.Job{ID: "ci-1"}, nil
}

func TestAWatchIsAJobWhereSomethingRuns(t *testing.T) {
	g, env := plays(t)
	list := New(toolstest.Client(t, nil), "/usr/bin/marvin").Tools()
	_, err := toolstest.Call(t, list, env, "github_watch", `{}`)
	toolstest.CheckError(t, err, "background work is not available here", "marvin ci --watch")
	jobs := &begun{}
	env.Jobs = jobs
	g.set(failedRuns)
	text, err := toolstest.Call(t, list, env, "github_watch", `{}`)
	if err != nil || !strings.Contains(text, "failed step 4") || jobs.wish.Kind != "" {
		t.Errorf("what is red already is watched: %q, %v, %+v", text, err, jobs.wish)
	}
	g.set(runningRuns)
	text, err = toolstest.Call(t, list, env, "github_watch", `{}`)
	if err != nil || !strings.Contains(text, "Job ci-1 watches") || jobs.wish.Kind != tools.JobCI || jobs.wish.Program != "/usr/bin/marvin" {
		t.Fatalf("%q, %v, %+v", text, err, jobs.wish)
	}
	if line := strings.Join(jobs.wish.Args, " "); line != "ci --watch --working-dir "+env.Dir+" --repo https://"+g.host()+"/them/tool "+headSHA {
		t.Errorf("%s", line)
	}
}

func TestTheEndOfALogIsKept(t *testing.T) {
	var end tail
	for range 100 {
		_, _ = end.Write([]byte(strings.Repeat("x", 100<<10)))
	}
	_, _ = end.Write([]byte("\nlast\n"))
	if len(end.kept) > 2*logKept || !strings.HasSuffix(string(end.kept), "\nlast\n") {
		t.Errorf("%d bytes", len(end.kept))
	}
	if lines := errorLines("a\nb\n\n", 2); strings.Join(lines, "|") != "b|" {
		t.Errorf("%q", lines)
	}
}
