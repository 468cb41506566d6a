package background

import (
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/tools"
)

// The test covers the line of a job, the report of its end, and the list of recent jobs.
func TestAJobInWords(t *testing.T) {
	begun := time.Date(2026, 11, 25, 9, 0, 0, 0, time.UTC)
	running := tools.Job{ID: "cmd-1", State: tools.JobRunning, Title: "make", PID: 7, Started: begun}
	ended := tools.Job{ID: "cmd-2", State: tools.JobFailed, Title: "make", Started: begun, Ended: begun.Add(61 * time.Second), Note: "exit code 2", Report: "CI is red"}
	odd := tools.Job{ID: "cmd-3", State: tools.JobDead, Title: "make"}
	for _, one := range []struct {
		job         tools.Job
		now         time.Time
		line, ended string
	}{
		{running, begun.Add(1499 * time.Millisecond), "cmd-1  running for 1s, pid 7: make", "Background job cmd-1 running: make"},
		{running, begun.Add(-time.Hour), "cmd-1  running for 0s, pid 7: make", "Background job cmd-1 running: make"},
		{ended, begun, "cmd-2  failed after 1m1s: make (exit code 2)", "Background job cmd-2 failed after 1m1s: make (exit code 2)\nCI is red"},
		{odd, begun, "cmd-3  dead: make", "Background job cmd-3 dead: make"},
	} {
		if line, said := Line(one.job, one.now), DescribeEnd(one.job); line != one.line || said != one.ended {
			t.Errorf("%s; %s", line, said)
		}
	}
	stray, old := ended, running
	stray.Stray, old.Stray = true, true
	for _, one := range []struct {
		after time.Duration
		want  int
	}{{0, 4}, {strayMemory - 1, 4}, {strayMemory, 3}} {
		if got := Recent([]tools.Job{running, ended, stray, old}, stray.Ended.Add(one.after)); len(got) != one.want {
			t.Errorf("after %s: %+v", one.after, got)
		}
	}
	if got := Merge([]tools.Job{{ID: "a", Title: "first"}}, []tools.Job{{ID: "a", Title: "second"}, {ID: "b"}}); len(got) != 2 || got[0].Title != "first" || got[1].ID != "b" {
		t.Errorf("%+v", got)
	}
}

func TestTheAccountOfARunInItsFile(t *testing.T) {
	at := time.Unix(1000, 0)
	for _, one := range []struct {
		what    string
		account Account
		before  joblist.Job
		want    joblist.Job
		result  string
		failed  string
	}{
		{"it ended", Account{State: tools.JobCompleted, Rounds: 3, Result: "fine", Note: "ignored"}, joblist.Job{Status: "running", Round: 1}, joblist.Job{Status: "completed", Phase: "completed", Round: 3, EndedAt: 1000}, "fine", ""},
		{"it failed", Account{State: tools.JobFailed, Note: "no money"}, joblist.Job{Status: "running", Round: 5}, joblist.Job{Status: "failed", Phase: "failed", Round: 5, EndedAt: 1000}, "", "no money"},
		{"it was cancelled", Account{State: tools.JobDead}, joblist.Job{Status: "cancelled", EndedAt: 900}, joblist.Job{Status: "cancelled", Phase: "cancelled", EndedAt: 900}, "", ""},
	} {
		job := one.before
		one.account.into(&job, at)
		if job.Status != one.want.Status || job.Phase != one.want.Phase || job.Round != one.want.Round || job.EndedAt != one.want.EndedAt || (job.Result != nil) != (one.result != "") || (job.Error != nil) != (one.failed != "") {
			t.Errorf("%s: %+v", one.what, job)
		}
		if job.Result != nil && *job.Result != one.result || job.Error != nil && *job.Error != one.failed {
			t.Errorf("%s: %s, %s", one.what, *job.Result, *job.Error)
		}
	}
	for text, want := range map[string]string{
		"": "0 ", "words": "0 words", "  🔧 a\nwords\n": "1 words", "before\n  🔧 a\nmiddle\n  🔧 b\n last \n": "2 last", "x  🔧 a\nwords": "0 x  🔧 a\nwords", "  🔧 a": "1 ",
	} {
		rounds, words := answer(text)
		if got := string(rune('0'+rounds)) + " " + words; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestOutputFromAnOffset(t *testing.T) {
	home, dir := persistence.Open(t.TempDir(), time.Now), t.TempDir()
	started, err := Start(home, tools.JobWish{Kind: tools.JobCommand, Title: "count", Dir: dir, Shell: "printf 'one\\ntwo\\r\\nthree'", Environ: []string{"PATH=/usr/bin:/bin"}})
	if err != nil {
		t.Fatal(err)
	}
	started.Wait(t.Context())
	job := started.Job
	for _, one := range []struct {
		offset int64
		lines  int
		want   string
	}{{0, 9, "one\ntwo\nthree\n"}, {-5, 9, "one\ntwo\nthree\n"}, {4, 9, "two\nthree\n"}, {0, 2, "[…]\ntwo\nthree\n"}, {14, 9, ""}, {99, 9, ""}} {
		text, next, err := OutputSince(home, job, one.offset, one.lines)
		if text != one.want || next != 14 || err != nil {
			t.Errorf("from %d, %d lines: %q, %d, %v", one.offset, one.lines, text, next, err)
		}
	}
	for _, one := range []struct {
		pattern string
		offset  int64
		line    string
		next    int64
	}{{"^o", 0, "one", 0}, {"^two$", 0, "two", 0}, {"thr", 0, "three", 0}, {"thr", 9, "three", 9}, {"^x", 0, "", 9}, {"^x", 9, "", 9}, {"^o", 4, "", 9}, {"", 14, "", 14}} {
		line, next, err := FindLine(home, job, regexp.MustCompile(one.pattern), one.offset)
		if line != one.line || next != one.next || err != nil {
			t.Errorf("%s from %d: %q, %d, %v", one.pattern, one.offset, line, next, err)
		}
	}
	if text, err := Tail(home, job, 1); err != nil || text != "[…]\nthree\n" {
		t.Errorf("%q, %v", text, err)
	}
	if err := os.WriteFile(job.Log, []byte(strings.Repeat("x", findChunk)+"\nend\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if line, next, err := FindLine(home, job, regexp.MustCompile("^end"), 0); line != "end" || err != nil || next == 0 {
		t.Errorf("behind a long line: %q, %d, %v", line, next, err)
	}
	if text, err := Tail(home, job, 2); err != nil || text != "[…]\nend\n" {
		t.Errorf("%q, %v", text, err)
	}
	job.Log = ""
	_, since := Tail(home, job, 1)
	_, _, tail := OutputSince(home, job, 0, 1)
	for _, err := range []error{since, tail} {
		if err == nil || !strings.HasPrefix(err.Error(), "the output of "+job.ID+" is not stored\nStart such work with run_command and background: true instead of &.") {
			t.Errorf("%v", err)
		}
	}
}

// A Marvin that runs no jobs itself sees the jobs in the files.
func TestJobsByTheirFiles(t *testing.T) {
	home, dir := persistence.Open(t.TempDir(), time.Now), t.TempDir()
	jobs := Records(home, dir)
	started, err := Start(home, tools.JobWish{Kind: tools.JobCommand, Title: "true", Dir: dir, Shell: "true", Environ: []string{"PATH=/usr/bin:/bin"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := (&Running{Job: started.Job}).Write("x", true); !errors.Is(err, ErrNoInput) { // a job that another Marvin started
		t.Errorf("it took something: %v", err)
	}
	if err := started.Write("x", true); !errors.Is(err, ErrNoInput) {
		t.Errorf("a job that reads nothing took something: %v", err)
	}
	started.Wait(t.Context())
	all, err := jobs.Wait(t.Context(), []string{started.Job.ID})
	if err != nil || len(all) != 1 || all[0].Running() {
		t.Errorf("%+v, %v", all, err)
	}
	if all, err := jobs.Wait(t.Context(), []string{"cmd-none"}); err != nil || len(all) != 1 {
		t.Errorf("for one that is not there: %+v, %v", all, err)
	}
	if job, err := jobs.Cancel(t.Context(), started.Job.ID); err != nil || job.State != tools.JobDead || job.Note != "it ended while Marvin was not running, so its exit code is unknown" {
		t.Errorf("%+v, %v", job, err)
	}
	_, cancelled := jobs.Cancel(t.Context(), "cmd-none")
	_, begun := jobs.Start(t.Context(), tools.JobWish{})
	for want, err := range map[string]error{"no such background job: cmd-none": cancelled, "background work is not available here": begun, "only the Marvin process that started a job can write to it": jobs.Write(t.Context(), started.Job.ID, "x", false)} {
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if !errors.Is(cancelled, joblist.ErrNoJob) {
		t.Errorf("%v", cancelled)
	}
	for _, one := range []struct {
		file joblist.Job
		want string
	}{
		{joblist.Job{ID: "a", Type: string(tools.JobReview), Status: "running", Title: "x\n y\x1b"}, "a  running for"},
		{joblist.Job{ID: "b", Status: "completed", StartedAt: 10, EndedAt: 12}, "b  completed after 2s: " + string(tools.JobCommand)},
		{joblist.Job{ID: "c", Type: "other", Status: "failed", Error: new(string)}, "c  failed: " + string(tools.JobCommand)},
	} {
		job := jobOf(joblist.New(home, dir), one.file)
		if got := Line(job, time.Unix(20, 0)); !strings.HasPrefix(got, one.want) || !job.Stray || strings.Contains(got, "\x1b") {
			t.Errorf("%s, want %s", got, one.want)
		}
	}
}
