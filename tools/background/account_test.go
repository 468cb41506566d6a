package background

import (
	"errors"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/tools"
)

func TestEndIsReportedOnce(t *testing.T) {
	home, dir := persistence.Open(t.TempDir(), time.Now), t.TempDir()
	for _, row := range []struct {
		kind, status string
		told         bool // the process exists, and is recorded
		gone         bool
	}{
		{string(tools.JobReview), string(tools.JobRunning), false, false},
		{string(tools.JobReview), string(tools.JobCompleted), true, false},
		{"command", string(tools.JobRunning), false, false},
		{"command", string(tools.JobFailed), false, true},
	} {
		id, stdout, stderr, err := joblist.New(home, dir).Create(row.kind)
		if err = errors.Join(err, stdout.Close(), stderr.Close()); err != nil {
			t.Fatal(err)
		}
		if err := joblist.New(home, dir).Add(joblist.Job{ID: id, Type: row.kind, Status: row.status, Dir: dir}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			MarkReported(home, dir, id)
		}
		job, err := joblist.New(home, dir).Get(id)
		if (err != nil) != row.gone || job.Told != row.told {
			t.Errorf("%s, %s: told %v, %v", row.kind, row.status, job.Told, err)
		}
	}
}
