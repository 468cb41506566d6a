package jobs

import (
	"fmt"
	"testing"

	"marvin/tools"
)

// A full table first drops jobs that have ended, and keeps running processes as long as it can:
// otherwise the user could neither see nor stop them.
func TestAFullTableKeepsRunningProcesses(t *testing.T) {
	for _, ended := range []bool{true, false} {
		j := &jobs{}
		for n := range jobMemory {
			one := tools.Job{ID: fmt.Sprint("job-", n), State: tools.JobRunning}
			if ended && n == 7 {
				one.State = tools.JobCompleted
			}
			j.add(nil, &entry{job: one})
		}
		j.add(nil, &entry{job: tools.Job{ID: "fresh"}})
		if len(j.entries) != jobMemory || j.find("fresh") == nil || (j.find("job-0") != nil) != ended || (j.find("job-7") != nil) == ended {
			t.Errorf("ended %v: %d entries, the first is %s", ended, len(j.entries), j.entries[0].job.ID)
		}
	}
}
