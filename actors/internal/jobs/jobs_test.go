package jobs

import (
	"fmt"
	"testing"

	"marvin/tools"
)

// fill adds running processes until the table is full.
func fill(j *jobs) {
	for n := len(j.entries); n < jobMemory; n++ {
		j.add(nil, &entry{job: tools.Job{ID: fmt.Sprint("pid-", n), Kind: tools.JobProcess, State: tools.JobRunning}})
	}
}

// A full table first drops jobs that have ended, and keeps running processes as long as it can:
// otherwise the user could neither see nor stop them.
func TestAFullTableKeepsRunningProcesses(t *testing.T) {
	for _, ended := range []bool{true, false} {
		j := &jobs{}
		fill(j)
		if ended {
			j.find("pid-7").job.State = tools.JobCancelled
		}
		j.add(nil, &entry{job: tools.Job{ID: "fresh"}})
		if len(j.entries) != jobMemory || j.find("fresh") == nil || (j.find("pid-0") != nil) != ended || (j.find("pid-7") != nil) == ended {
			t.Errorf("ended %v: %d entries, the first is %s", ended, len(j.entries), j.entries[0].job.ID)
		}
	}
}

// Processes that have ended by themselves do not take the place of jobs whose results matter.
func TestEndedProcessesLeaveTheTable(t *testing.T) {
	j := &jobs{}
	fill(j)
	j.find("pid-3").cancels = []chan<- jobAnswer{make(chan jobAnswer, 1)} // its end will be answered
	j.find("pid-4").job.Kind = tools.JobCommand
	j.dropGone(processesGone{[]tools.Job{{ID: "pid-2"}, {ID: "pid-3"}, {ID: "pid-4"}, {ID: "pid-5", Process: tools.Process{PID: 77}}}})
	if j.find("pid-2") != nil || len(j.entries) != jobMemory-1 {
		t.Errorf("%d of %d entries stay", len(j.entries), jobMemory)
	}
}
