package actors

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/tools"
)

// Whoever leaves hears which jobs are left, once none is being ended any more.
func TestWhatIsSaidOfJobsThatAreLeft(t *testing.T) {
	running, over := tools.Job{ID: "j1", State: tools.JobRunning}, tools.Job{ID: "j1", State: tools.JobCompleted}
	tied := running
	tied.Tied = true
	for name, test := range map[string]struct {
		one      entry
		lives    bool // its actor
		starting int
		nobody   bool
		said     []string
	}{
		"nobody waits":                   {nobody: true},
		"one begins":                     {starting: 1},
		"it ended":                       {one: entry{job: over}, said: []string{"settler settled 0"}},
		"it runs on":                     {one: entry{job: running}, said: []string{"settler settled 1"}},
		"it runs on, looked after":       {one: entry{job: running}, lives: true, said: []string{"settler settled 1"}},
		"it would die":                   {one: entry{job: tied}, lives: true, said: []string{"job stop cancelled"}},
		"it would die, and is ended":     {one: entry{job: tied, ends: true}, lives: true},
		"it would die, and resists":      {one: entry{job: tied, resists: true}, lives: true, said: []string{"settler settled 1"}},
		"nobody looks after it":          {one: entry{job: tied}, said: []string{"settler settled 1"}},
		"it is that of a sub-agent":      {one: entry{job: running, asker: asker{agent: true}}, lives: true},
		"it is that of one that is gone": {one: entry{job: running, asker: asker{agent: true}}, said: []string{"settler settled 1"}},
		"it would die, and ended":        {one: entry{job: func() tools.Job { job := over; job.Tied = true; return job }()}, lives: true, said: []string{"settler settled 0"}},
	} {
		w := newTeller(t)
		settler, job := w.hears("settler"), w.hears("job")
		if test.lives {
			test.one.pid = job
		}
		j := jobs{entries: []*entry{&test.one}, starting: test.starting, settler: settler}
		if test.nobody {
			j.settler = nil
		}
		said := w.during(j.settle, settler, job)
		if settled := slices.ContainsFunc(said, func(line string) bool { return strings.HasPrefix(line, "settler") }); !slices.Equal(said, test.said) || !test.nobody && settled != (j.settler == nil) {
			t.Errorf("%s: said %q", name, said)
		}
	}
}

// With the actor of a job that did not report its job is dead, and the jobs of a sub-agent end
// with its session.
func TestWhatBecomesOfJobsWhoseActorsAreGone(t *testing.T) {
	for name, test := range map[string]struct {
		one     entry
		job     bool // is gone, else the session
		state   tools.JobState
		said    []string
		changes bool
		keeps   bool // its session
	}{
		"its actor":                  {one: entry{}, job: true, state: tools.JobDead, changes: true, keeps: true},
		"its actor, that reported":   {one: entry{over: true}, job: true, state: tools.JobRunning, keeps: true},
		"its session":                {one: entry{}, state: tools.JobRunning},
		"the session of a sub-agent": {one: entry{asker: asker{agent: true}}, state: tools.JobRunning, said: []string{"job stop cancelled"}},
	} {
		w := newTeller(t)
		session, job := w.hears("session"), w.hears("job")
		test.one.pid, test.one.asker.session, test.one.job = job, session, tools.Job{ID: "j1", State: tools.JobRunning}
		changed := make(chan struct{})
		j := jobs{entries: []*entry{&test.one}, changed: changed, watched: map[string]bool{session.Id: true}, children: map[string]bool{job.Id: true}}
		who := session
		if test.job {
			who = job
		}
		said := w.during(func(c actor.Context) { j.gone(c, task.Gone{Who: who}) }, session, job)
		woken := false
		select {
		case <-changed:
			woken = true
		default:
		}
		if !slices.Equal(said, test.said) || test.one.job.State != test.state || woken != test.changes || (test.one.asker.session != nil) != test.keeps || (test.one.pid == nil) != test.job {
			t.Errorf("%s: said %q, it is %s, woken %v, %+v", name, said, test.one.job.State, woken, test.one)
		}
		if j.watched[session.Id] == !test.job || j.children[job.Id] == test.job {
			t.Errorf("%s: watched %v, children %v", name, j.watched, j.children)
		}
	}
}

// What became of a job is told to whom it belongs, and a model that read it is noted.
func TestWhoIsToldOfTheEndOfAJob(t *testing.T) {
	w := newTeller(t)
	session := w.hears("session")
	one, orphan := &entry{job: tools.Job{ID: "j1"}, asker: asker{session: session}}, &entry{job: tools.Job{ID: "j2"}}
	j := jobs{entries: []*entry{one, orphan}, changed: make(chan struct{}), config: &Config{Now: time.Now}}
	reply := make(chan jobAnswer, 1)
	one.cancels = []chan<- jobAnswer{reply}
	said := w.during(func(c actor.Context) {
		j.told(c, jobsTold{ids: []string{"none", "j1", "j2"}})
		j.over(c, jobOver{job: tools.Job{ID: "none"}})
		j.over(c, jobOver{job: tools.Job{ID: "j1", State: tools.JobCompleted, Dir: "/work"}, left: []tools.Left{{Process: tools.Process{PID: 7}, Command: "sleep"}}})
		j.over(c, jobOver{job: tools.Job{ID: "j2", State: tools.JobCompleted}})
	}, session)
	if !slices.Equal(said, []string{"session read j1", "session ended j1 true"}) || !one.over || !orphan.over || !orphan.read {
		t.Errorf("said %q", said)
	}
	if answer := <-reply; answer.job.State != tools.JobCompleted || one.cancels != nil {
		t.Errorf("who cancelled it hears %+v", answer)
	}
	if left := j.find("pid-7"); left == nil || left.job.Dir != "/work" || left.asker != one.asker {
		t.Errorf("what it left is %+v", left)
	}
	j.leftRunning(leftRunning{all: []tools.Left{{Process: tools.Process{PID: 7}, Command: "sleep"}}})
	if len(j.entries) != 3 {
		t.Errorf("what is left twice is there %d times", len(j.entries)-2)
	}
}
