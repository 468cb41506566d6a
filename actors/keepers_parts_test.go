package actors

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/persistence"
	"marvin/providers"
	"marvin/tools"
)

// silentAlarms ring never.
type silentAlarms struct{}

func (silentAlarms) Next(ctx context.Context, _ []string) ([]string, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// toldOnly has an actor receive what the test tells it, and not what its clocks and its work
// bring, which may be early or late.
func toldOnly(of actor.Actor) func(actor.Context) {
	return func(c actor.Context) {
		if c.Sender() != nil {
			of.Receive(c)
		}
	}
}

// What an alarm clock does goes by what it told, and by whether the end is waited for.
func TestWhatAnAlarmClockDoesInEachState(t *testing.T) {
	s := newStage(t, nil)
	s.named("closer")
	mail := []struct {
		name    string
		message func(now, old context.Context) any
	}{
		{"heard", func(context.Context, context.Context) any { return heard{} }},
		{"tell again", func(now, _ context.Context) any { return tellAgain{now} }},
		{"tell again, of before", func(_, old context.Context) any { return tellAgain{old} }},
		{"listen again", func(now, _ context.Context) any { return listenAgain{now} }},
		{"listen again, of before", func(_, old context.Context) any { return listenAgain{old} }},
		{"it rang", func(now, _ context.Context) any { return rang{incarnation: now, lines: []string{"tea"}} }},
		{"it rang before", func(_, old context.Context) any { return rang{incarnation: old, lines: []string{"tea"}} }},
		{"it rang, and failed", func(now, _ context.Context) any {
			return rang{incarnation: now, lines: []string{"tea"}, err: errors.New("no")}
		}},
		{"it failed", func(now, _ context.Context) any { return rang{incarnation: now, err: errors.New("no")} }},
		{"nothing", func(now, _ context.Context) any { return rang{incarnation: now} }},
		{"silence", func(context.Context, context.Context) any { return silence{} }},
		{"the grace is over", func(context.Context, context.Context) any { return graceOver{} }},
	}
	for _, set := range flags("told", "closing", "listening") {
		for _, one := range mail {
			old, end := context.WithCancel(t.Context())
			b := &alarmClock{config: &Config{Alarms: silentAlarms{}, Tuning: Tuning{CancelGrace: time.Hour}}}
			b.ctx, b.cancel = context.WithCancel(t.Context())
			if set["told"] {
				b.untold = []string{"tea"}
			}
			if set["closing"] {
				b.closing = s.at("closer")
			}
			b.listening = set["listening"]
			s.on = toldOnly(b)
			s.enter()
			s.tell(one.message(b.ctx, old), "closer")
			s.scene(one.name+": "+on(set, "told", "closing", "listening"), fmt.Sprintf("listening %v, untold %q, closing %v, ended %v", b.listening, b.untold, b.closing != nil, b.ctx.Err() != nil))
			end()
			b.cancel()
		}
	}
	s.hold("alarms")
}

// jobsOf are a table with jobs of a conversation, of a sub-agent and of nobody.
func jobsOf(s *stage) *jobs {
	table := &jobs{config: &Config{Now: func() time.Time { return s.now }, Log: slog.New(slog.NewTextHandler(&s.log, nil))}}
	table.changed, table.watched, table.children = make(chan struct{}), map[string]bool{}, map[string]bool{"job": true}
	running := func(id string) tools.Job { return tools.Job{ID: id, State: tools.JobRunning, Title: "sleep"} }
	session, agent := asker{session: s.at("session")}, asker{session: s.at("agent"), agent: true}
	tied := running("tied")
	tied.Tied = true
	table.entries = []*entry{
		{job: running("mine"), asker: session, pid: s.at("job")},
		{job: running("agents"), asker: agent, pid: s.at("other")},
		{job: running("stray"), asker: session},
		{job: tools.Job{ID: "over", State: tools.JobCompleted}, asker: session, over: true},
		{job: tied, asker: session, pid: s.at("third")},
		{job: running("nobodys"), pid: s.at("fourth")},
	}
	return table
}

// What the table of jobs does with what it is told goes by the job.
func TestWhatTheTableOfJobsDoes(t *testing.T) {
	s := newStage(t, nil)
	for _, name := range []string{"session", "agent", "job", "other", "third", "fourth", "settler"} {
		s.named(name)
	}
	answers := make(chan jobAnswer, 10)
	lists := make(chan jobList, 10)
	session, agent := asker{session: s.at("session")}, asker{session: s.at("agent"), agent: true}
	mail := map[string]any{"settle": settleJobs{}, "told": jobsTold{ids: []string{"mine", "none", "nobodys"}}}
	for _, id := range []string{"mine", "agents", "over", "tied", "nobodys", "none"} {
		mail["cancel "+id] = cancelJob{id: id, asker: session, reply: answers}
		mail["cancel as sub-agent "+id] = cancelJob{id: id, asker: agent, reply: answers}
		mail["write "+id] = writeJob{id: id, text: "x", asker: session, reply: answers}
		mail["write as sub-agent "+id] = writeJob{id: id, text: "x", asker: agent, reply: answers}
		mail["exited "+id] = jobExited{id: id}
		mail["over "+id] = jobOver{job: tools.Job{ID: id, State: tools.JobCompleted, Dir: "/work"}, left: []tools.Left{{Process: tools.Process{PID: 7}, Command: "x"}}, err: errors.New("no room")}
		mail["resists "+id] = jobResists{id: id, err: errors.New("deaf")}
		mail["ended "+id] = processEnded{id: id}
		mail["did not end "+id] = processEnded{id: id, err: errors.New("deaf")}
	}
	for _, who := range []string{"session", "agent", "job", "other", "third", "fourth"} {
		mail["gone "+who] = task.Gone{Who: s.at(who)}
	}
	for name, from := range map[string]string{"known": "job", "unknown": "fourth"} {
		mail["began, "+name] = jobBegan{from: s.at(from), asker: session, job: tools.Job{ID: "fresh", State: tools.JobRunning}, reply: answers}
		mail["did not begin, "+name] = jobBegan{from: s.at(from), asker: session, err: errors.New("no"), reply: answers}
	}
	mail["list"], mail["list as sub-agent"] = listJobs{asker: session, reply: lists}, listJobs{asker: agent, reply: lists}
	for _, name := range sorted(mail) {
		for _, settling := range []bool{false, true} {
			table := jobsOf(s)
			table.starting = 1
			if settling {
				table.starting, table.settler = 0, s.at("settler")
			}
			for _, one := range table.entries {
				if one.job.ID == "mine" {
					one.cancels = []chan<- jobAnswer{answers}
				}
			}
			changed := table.changed
			s.on = toldOnly(table)
			s.enter()
			s.tell(mail[name], "settler")
			told := ""
			for len(answers) > 0 {
				told += plain(<-answers) + " "
			}
			for len(lists) > 0 {
				told += plain((<-lists).jobs) + " "
			}
			woke := false
			select {
			case <-changed:
				woke = true
			default:
			}
			s.scene(fmt.Sprintf("%s, settling %v", name, settling), told, fmt.Sprintf("woke %v, starting %d, settler %v, children %v, watched %v", woke, table.starting, table.settler != nil, table.children, table.watched), s.logged())
			for i, one := range table.entries {
				if before := jobsOf(s).entries; i >= len(before) || plain(*before[i]) != plain(*one) {
					s.scene("  now " + plain(*one))
				}
			}
		}
	}
	s.hold("jobs")
}

// Of many jobs the oldest that ended are forgotten, and no more are begun than the limit.
func TestHowManyJobsThereAre(t *testing.T) {
	s := newStage(t, nil)
	s.named("job")
	table := &jobs{config: &Config{}, watched: map[string]bool{}, children: map[string]bool{}}
	for i := range jobMemory {
		one := &entry{job: tools.Job{ID: fmt.Sprint(i)}}
		if i == 0 {
			one.pid = s.at("job")
		}
		if i == 1 {
			one.cancels = make([]chan<- jobAnswer, 1)
		}
		table.entries = append(table.entries, one)
	}
	s.do(func(c actor.Context) { table.add(c, &entry{job: tools.Job{ID: "new"}}) })
	if got := table.entries; len(got) != jobMemory || got[0].job.ID != "0" || got[1].job.ID != "1" || got[2].job.ID != "3" || got[jobMemory-1].job.ID != "new" {
		t.Errorf("%d are there, the third is %s", len(got), got[2].job.ID)
	}
	for i := range table.entries {
		table.entries[i].pid = nil
		if i < jobLimit-1 {
			table.entries[i].pid = s.at("job")
		}
	}
	answers := make(chan jobAnswer, 1)
	table.starting = 1
	s.do(func(c actor.Context) { table.start(c, startJob{reply: answers}) })
	if len(answers) != 1 || table.starting != 1 {
		t.Fatalf("%d are being started", table.starting)
	}
	if answer := <-answers; answer.err == nil || !strings.Contains(answer.err.Error(), "256") {
		t.Errorf("%v", answer.err)
	}
}

// What the recorder does with what it is told, while its hands write.
func TestWhatTheRecorderDoesWhileItWrites(t *testing.T) {
	s := newStage(t, nil)
	for _, name := range []string{"session", "router"} {
		s.named(name)
	}
	name := turnName{"session", "t1"}
	written := make(chan struct{}, 10)
	mail := map[string]any{
		"a call":                    callRecord{persistence.AuditedCall{Tool: "shell"}},
		"a remark":                  remarked{persistence.AuditedCall{Tool: "_approve"}},
		"a round trip":              spent{choice: Choice{"p", "m"}, usage: providers.Usage{Input: 5}, cost: 1},
		"a charge":                  chargeAgain{},
		"a prompt":                  promptRecord{turn: name, prompt: "why?", router: s.at("router")},
		"a text":                    textRecord{turn: name, text: "because"},
		"a log":                     logged{written: written},
		"a log that ended":          logEnded{},
		"artifacts":                 artifactsEnded{},
		"a turn":                    turnRecord{turn: name, session: s.at("session")},
		"a turn that is kept":       turnRecord{turn: name, session: s.at("session"), conversation: Conversation{Policy: Policy{Persist: true}}},
		"what was shown":            shown{},
		"what is not kept":          notKept{errors.New("no room")},
		"a flush":                   flush{},
		"a merge":                   mergeDue{},
		"what was merged":           merged{[]error{errors.New("no room")}},
		"lines of before a restart": wroteLines{batch: &lines{prompts: []promptRecord{{router: s.at("router")}}, logged: []logged{{}, {written: written}}, due: true}, problems: []error{errors.New("full")}},
		"documents of before":       wroteDocuments{batch: &documents{turns: []turnRecord{{turn: name, session: s.at("session")}}}, problems: []error{errors.New("full")}},
	}
	for i, set := range flags("owed", "resting", "dirty", "merging", "audited") {
		if i > 16 {
			break // whether calls are audited goes with nothing else
		}
		for _, of := range sorted(mail) {
			r := &recorder{config: &Config{Log: slog.New(slog.NewTextHandler(&s.log, nil)), Home: &persistence.Home{State: "/nowhere"}, Tuning: Tuning{}}}
			var problems []error
			r.config.Problem = func(problem error) { problems = append(problems, problem) }
			if set["audited"] {
				r.config.Audit.Path = "/nowhere/audit"
			}
			r.owed, r.resting, r.lines.dirty, r.merging = set["owed"], set["resting"], set["dirty"], set["merging"]
			r.writingLines, r.writingDocuments, r.numbered, r.done, r.waking = &lines{}, &documents{}, 3, 2, set["merging"]
			r.charged = set["merging"]
			s.on = toldOnly(r)
			s.enter()
			s.tell(mail[of], "session")
			if len(written) > 0 {
				<-written
			}
			s.scene(of+": "+on(set, "owed", "resting", "dirty", "merging", "audited"), fmt.Sprintf("owed %v, resting %v, charged %v, merging %v, waking %v, %d wait, %d and %d, problems %v", r.owed, r.resting, r.charged, r.merging, r.waking, len(r.waiting), r.numbered, r.done, problems),
				fmt.Sprintf("%+v", [...]any{len(r.lines.calls), r.lines.dirty, r.lines.due, len(r.lines.prompts), len(r.lines.texts), len(r.lines.logged), r.lines.usage.Calls, r.lines.usage.Cost, len(r.documents.turns), len(r.documents.ended), len(r.documents.artifacts), len(r.documents.shown), r.documents.after}))
			s.log.Reset()
		}
	}
	s.hold("recorder")
}
