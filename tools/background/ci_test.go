package background

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/tools"
)

func TestAWatchSaysHowTheChecksEnded(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	for name, c := range map[string]struct {
		line, note, report string
		state              tools.JobState
	}{
		"red":         {`echo '  test: in_progress'; echo '== CI is red for a/b@1234567: 1 of 2 failed'; printf 'failed step 4: \033[1mtests\n  | exit code 1\n'; exit 1`, "CI is red for a/b@1234567: 1 of 2 failed", "failed step 4: ‹U+001B›[1mtests\n  | exit code 1", tools.JobFailed},
		"green":       {`echo '== CI is green for a/b@1234567: all 2'`, "CI is green for a/b@1234567: all 2", "", tools.JobCompleted},
		"no login":    {`echo 'Error: nobody is logged in' >&2; exit 1`, "nobody is logged in", "", tools.JobFailed},
		"killed":      {`echo '  test: in_progress'; kill -9 $$`, "its process has ended without a report", "", tools.JobDead},
		"a log of it": {`echo 'x == CI is red'; echo '== CI is green for a'`, "CI is green for a", "", tools.JobCompleted},
	} {
		home := persistence.Open(t.TempDir(), time.Now)
		running, err := Start(home, tools.JobWish{Kind: tools.JobCI, Title: "CI of a/b", Program: shell, Args: []string{"-c", c.line}, Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		running.Wait(t.Context())
		stray := &Running{Job: running.Job, files: running.files, now: time.Now}
		for _, one := range []*Running{running, stray} {
			job, _, err := one.Settle(tools.JobRunning, "", false)
			if err != nil || job.State != c.state || job.Note != c.note || job.Report != c.report || !strings.HasPrefix(job.ID, "ci-") {
				t.Errorf("%s: %+v, %v", name, job, err)
			}
			if said := DescribeEnd(job); !strings.Contains(said, c.note) || !strings.HasSuffix(said, c.report) {
				t.Errorf("%s: %q", name, said)
			}
		}
		if job, _, _ := running.Settle(tools.JobCancelled, "cancelled", true); job.State != tools.JobCancelled || job.Report != "" {
			t.Errorf("%s: %+v", name, job)
		}
	}
}
