package actors_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

// descriptors is the number of open files of this process, or -1 if unknown.
func descriptors() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	return len(entries)
}

// A thousand sub-agents at once report in order, end with one cancel, and leave nothing behind.
func TestAThousandSubAgents(t *testing.T) {
	const n = 1000
	hanging := make(chan struct{}, n)
	hang := false
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		if !hang {
			return echo(request)
		}
		hanging <- struct{}{}
		return modeltest.Text("half").Append(modeltest.Hang())
	}))
	// The grace period is long enough for a busy machine: the test checks that all end, not how fast.
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{delegate(n, n, nil)}, Tuning: actors.Tuning{CancelGrace: actorstest.Patience}})
	turn := tree.Prompt("go")
	ended := actorstest.TurnEvents[messages.ToolEnded](turn)
	for i, line := range strings.Split(strings.TrimSpace(ended[0].Text), "\n") {
		if i < 100 && line != fmt.Sprintf("completed|done with task %d|", i+1) { // the middle is cut for the model
			t.Fatalf("report %d is %q", i+1, line)
		}
	}
	if turns := turn.Ended.Usage.Turns; turns != n+2 {
		t.Errorf("%d round trips, want %d", turns, n+2)
	}
	goroutines, files := runtime.NumGoroutine(), descriptors()

	hang = true
	tree.Client.Send(messages.Say("go"))
	for range n {
		<-hanging
	}
	begun := time.Now()
	tree.Client.Send(messages.Cancel{})
	turn = tree.Finish()
	t.Logf("a cancel of %d took %s", n, time.Since(begun)) // 0.2 s on an idle machine
	if turn.Ended.Outcome != messages.Cancelled {
		t.Errorf("ended %s", turn.Ended.Outcome)
	}
	if ended := actorstest.TurnEvents[messages.ToolEnded](turn); len(ended) != 1 || strings.Contains(ended[0].Text, "did not stop in time") {
		t.Errorf("the call ended with %d events", len(ended))
	}
	await(t, fmt.Sprintf("no more than %d goroutines and %d files are left", goroutines+20, files+20), func() bool {
		return runtime.NumGoroutine() <= goroutines+20 && descriptors() <= files+20
	})
}
