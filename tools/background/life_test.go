package background

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/internal/proc"
)

// The outcome of a job follows from the end of its process, from what was known before, and from
// its output.
func TestJobOutcome(t *testing.T) {
	home, dir := persistence.Open(t.TempDir(), time.Now), t.TempDir()
	files := joblist.New(home, dir)
	id := func(stdout, stderr string) string {
		id, out, errs, err := files.Create("x")
		_, first := out.WriteString(stdout)
		_, second := errs.WriteString(stderr)
		if err := errors.Join(err, first, second, out.Close(), errs.Close()); err != nil {
			t.Fatal(err)
		}
		return id
	}
	silent, failed, done := id("", ""), id("half", "Error: no credit\n"+cost), id("  🔧 tree\nwell", cost)
	ours := closingWaiter{}
	for _, row := range []struct {
		kind  tools.JobKind
		id    string
		child waiter
		end   proc.Ending
		ended tools.JobState
		why   string
		want  string
	}{
		{tools.JobCommand, silent, nil, proc.Ending{}, tools.JobRunning, "", "dead it ended while Marvin was not running, so its exit code is unknown"},
		{tools.JobCommand, silent, nil, proc.Ending{}, tools.JobCancelled, "cancelled", "cancelled cancelled"},
		{tools.JobCommand, silent, ours, proc.Ending{}, tools.JobRunning, "", "completed exit code 0"},
		{tools.JobCommand, silent, ours, proc.Ending{ExitCode: 3}, tools.JobRunning, "", "failed exit code 3"},
		{tools.JobCommand, silent, ours, proc.Ending{ExitCode: 137, Signal: "killed"}, tools.JobRunning, "", "failed exit code 137, ended by a signal: killed"},
		{tools.JobCommand, silent, ours, proc.Ending{ExitCode: 3}, tools.JobDead, "too long", string(tools.JobDead) + " too long"},
		{tools.JobReview, silent, nil, proc.Ending{}, tools.JobRunning, "", "dead its process has ended without a result"},
		{tools.JobReview, done, nil, proc.Ending{}, tools.JobRunning, "", "completed "},
		{tools.JobReview, done, ours, proc.Ending{}, tools.JobRunning, "", "completed "},
		{tools.JobReview, silent, ours, proc.Ending{}, tools.JobRunning, "", "completed "},
		{tools.JobReview, failed, ours, proc.Ending{ExitCode: 1}, tools.JobRunning, "", "failed exit code 1: no credit"},
		{tools.JobReview, done, ours, proc.Ending{ExitCode: 1}, tools.JobRunning, "", "failed exit code 1"},
		{tools.JobReview, done, ours, proc.Ending{}, tools.JobDead, "too long", string(tools.JobDead) + " too long"},
		{tools.JobCI, silent, ours, proc.Ending{}, tools.JobDead, "too long", string(tools.JobDead) + " too long"},
		{tools.JobCI, silent, ours, proc.Ending{}, tools.JobRunning, "", "dead its process has ended without a report"},
	} {
		running := &Running{Job: tools.Job{ID: row.id, Kind: row.kind, Dir: dir}, files: files, child: row.child, end: row.end}
		if said := running.account(row.ended, row.why); string(said.State)+" "+said.Note != row.want {
			t.Errorf("%s that %+v, %s: %s %s, want %s", row.kind, row.end, row.ended, said.State, said.Note, row.want)
		}
	}
}

// The record of a job contains the outcome, also for a canceled job.
func TestTheEndOfAJobIsWrittenDown(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	home, dir := persistence.Open(t.TempDir(), func() time.Time { return now }), t.TempDir()
	files := joblist.New(home, dir)
	for _, row := range []struct {
		kind   tools.JobKind
		status tools.JobState
		told   bool
		want   string // state in the result and in the record
	}{
		{tools.JobCommand, tools.JobRunning, true, "completed; gone"},
		{tools.JobCommand, tools.JobRunning, false, "completed; completed completed 1700000000 told false, error <nil>"},
		{tools.JobCommand, tools.JobCancelled, false, "cancelled; cancelled cancelled 1700000000 told false, error <nil>"},
		{tools.JobReview, tools.JobRunning, true, "completed; completed completed 1700000000 told true, error <nil>"},
		{tools.JobCI, tools.JobRunning, false, "dead; dead dead 1700000000 told false, error its process has ended without a report"},
	} {
		id, out, errs, err := files.Create("x")
		if err := errors.Join(err, out.Close(), errs.Close(), files.Add(joblist.Job{ID: id, Type: string(row.kind), Status: string(row.status), Dir: dir, PIDs: []int{1}})); err != nil {
			t.Fatal(err)
		}
		running := &Running{Job: tools.Job{ID: id, Kind: row.kind, Dir: dir}, files: files, now: home.Now, child: closingWaiter{}}
		job, _, err := running.Settle(tools.JobRunning, "", row.told)
		got := string(job.State) + "; gone"
		if file, missing := files.Get(id); missing == nil {
			why := "<nil>"
			if file.Error != nil {
				why = *file.Error
			}
			got = fmt.Sprintf("%s; %s %s %d told %t, error %s", job.State, file.Status, file.Phase, file.EndedAt, file.Told, why)
			if len(file.PIDs) > 0 {
				t.Errorf("%s: its process is still named: %v", row.kind, file.PIDs)
			}
		}
		if got != row.want || err != nil || !job.Ended.Equal(now) {
			t.Errorf("%s, %s: %s, %v; want %s", row.kind, row.status, got, err, row.want)
		}
	}
	lost := &Running{Job: tools.Job{ID: "cmd-gone", Kind: tools.JobCommand, Dir: dir}, files: files, now: home.Now, child: closingWaiter{}}
	if job, _, err := lost.Settle(tools.JobRunning, "", false); err != nil || job.State != tools.JobCompleted {
		t.Errorf("one that was cleared away: %s, %v", job.State, err)
	}
}

// A command as a job: its input, its output, its end, and what another Marvin can do with it.
func TestACommandLivesAsAJob(t *testing.T) {
	home, dir := persistence.Open(t.TempDir(), time.Now), t.TempDir()
	begin := func(shell string, input bool) *Running {
		t.Helper()
		running, err := Start(home, tools.JobWish{Kind: tools.JobCommand, Title: "a command", Dir: dir, Shell: shell, Environ: []string{"PATH=" + os.Getenv("PATH")}, Input: input})
		if err != nil {
			t.Fatal(err)
		}
		return running
	}
	reads := begin(`read line; echo "got $line"; echo err >&2; cat; exit 3`, true)
	if err := errors.Join(reads.Write("one\n", false), reads.Write("two\n", true)); err != nil {
		t.Fatal(err)
	}
	reads.Wait(t.Context())
	job, usage, err := reads.Settle(tools.JobRunning, "", false)
	printed, _ := Tail(home, job, 10)
	if job.State != tools.JobFailed || job.Note != "exit code 3" || usage.Turns != 0 || err != nil || printed != "got one\nerr\ntwo\n" {
		t.Errorf("%s %s, %v, printed %q", job.State, job.Note, err, printed)
	}
	if err := begin("exit 0", false).Write("x", false); !errors.Is(err, ErrNoInput) {
		t.Errorf("written to one without input: %v", err)
	}
	long := begin("sleep 1000", false)
	records := Records(home, dir)
	all, err := records.List(t.Context())
	at := slices.IndexFunc(all, func(one tools.Job) bool { return one.ID == long.Job.ID })
	if err != nil || at < 0 || !all[at].Running() || !all[at].Stray || all[at].Title != "a command" || !Alive(all[at]) {
		t.Fatalf("%+v, %v", all, err)
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	if all, err := records.Wait(over, []string{long.Job.ID}); err != nil || !slices.ContainsFunc(all, func(one tools.Job) bool { return one.ID == long.Job.ID && one.Running() }) {
		t.Errorf("waited without time: %+v, %v", all, err)
	}
	cancelled, err := records.Cancel(t.Context(), long.Job.ID)
	if err != nil || cancelled.State != tools.JobCancelled || cancelled.Note != "cancelled" || cancelled.Ended.IsZero() || Alive(cancelled) {
		t.Errorf("cancelled: %+v, %v", cancelled, err)
	}
	long.Wait(t.Context())
	if _, err := records.Cancel(t.Context(), long.Job.ID); !errors.Is(err, joblist.ErrNoJob) {
		t.Errorf("cancelled twice: %v", err)
	}
	if _, err := records.Start(t.Context(), tools.JobWish{}); err == nil || err.Error() != "background work is not available here" {
		t.Error(err)
	}
	if err := records.Write(t.Context(), "x", "x", false); err == nil || err.Error() != "only the Marvin process that started a job can write to it" {
		t.Error(err)
	}
	if again, err := records.Cancel(t.Context(), job.ID); err != nil || again.State != tools.JobFailed {
		t.Errorf("cancelled one that is over: %+v, %v", again, err)
	}
	records.MarkRead(job.ID)
	if _, err := joblist.New(home, dir).Get(job.ID); !errors.Is(err, joblist.ErrNoJob) {
		t.Errorf("its file is still there: %v", err)
	}
}

func TestAStrayIsAdopted(t *testing.T) {
	home, dir := persistence.Open(t.TempDir(), time.Now), t.TempDir()
	files, self := joblist.New(home, dir), proc.Self()
	add := func(name string, job joblist.Job) {
		t.Helper()
		id, out, errs, err := files.Create(name)
		job.ID, job.Dir = id, dir
		if err := errors.Join(err, out.Close(), errs.Close(), files.Add(job)); err != nil {
			t.Fatal(err)
		}
	}
	gone := joblist.Job{Type: "command", Status: string(tools.JobRunning), PID: 1 << 30, Process: "7", Owner: 1 << 30, OwnerProcess: "7"}
	add("dead", gone)
	ended := gone
	ended.Status = string(tools.JobFailed)
	add("ended", ended)
	review := ended
	review.Type = string(tools.JobReview)
	add("review", review)
	told := ended
	told.Told = true
	add("told", told)
	mine := gone
	mine.Owner, mine.OwnerProcess = self.PID, self.Started
	add("mine", mine)
	older := gone
	older.Owner = 0
	add("older", older)
	running, err := Start(home, tools.JobWish{Kind: tools.JobCommand, Title: "runs", Dir: dir, Shell: "sleep 1000", Environ: []string{"PATH=" + os.Getenv("PATH")}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := running.Stop(); err != nil {
			t.Error(err)
		}
		running.Wait(context.Background())
	})
	if err := files.Update(running.Job.ID, func(job *joblist.Job) error { job.Owner, job.OwnerProcess = 1<<30, "7"; return nil }); err != nil {
		t.Fatal(err)
	}
	names := func(jobs []tools.Job) string {
		var list []string
		for _, job := range jobs {
			name, _, _ := strings.Cut(job.ID, "-")
			list = append(list, fmt.Sprintf("%s %s stray %t", name, job.State, job.Stray))
		}
		slices.Sort(list)
		return strings.Join(list, ", ")
	}
	taken, over, err := Adopt(home, dir)
	if err != nil || len(taken) != 1 || taken[0].Job.ID != running.Job.ID || taken[0].Job.Stray {
		t.Fatalf("taken over %+v, %v", taken, err)
	}
	if got := names(over); got != "dead dead stray false, ended failed stray false, review failed stray false" {
		t.Errorf("told: %s", got)
	}
	if again, more, err := Adopt(home, dir); len(again) != 0 || len(more) != 0 || err != nil {
		t.Errorf("once more: %+v, %+v, %v", again, more, err)
	}
	if file, err := files.Get(running.Job.ID); err != nil || file.Owner != self.PID || file.OwnerProcess != self.Started {
		t.Errorf("it belongs to %d, %v", file.Owner, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	taken[0].Wait(ctx) // not a child process, so Wait returns when the context ends
	if !Alive(taken[0].Job) {
		t.Error("it was ended")
	}
}

func TestBackgroundCommandLogIsBounded(t *testing.T) {
	var kept bytes.Buffer
	log := &bounded{file: &kept, room: 5}
	for _, text := range []string{"abc", "defg", "hij"} {
		if n, err := log.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
	if want := fmt.Sprintf("abcde\n[… the output is longer; only the first %d bytes are stored]\n", mostOutput); kept.String() != want {
		t.Errorf("kept %q", kept.String())
	}
	if _, err := Start(persistence.Open(t.TempDir(), time.Now), tools.JobWish{Kind: tools.JobCommand, Dir: filepath.Join(t.TempDir(), "gone", "far"), Shell: "true"}); err == nil {
		t.Error("one began in no directory")
	}
}
