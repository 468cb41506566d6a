package actors_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools/files"
	"marvin/tools/language"
	"marvin/tools/language/languagetest"
)

// clock is a clock that only the test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// served is a conversation with a simulated language server for *.txt files.
type served struct {
	workplace
	languagetest.Played
	clock *clock
}

func serves(t *testing.T, how string, tuning actors.Tuning) served {
	t.Helper()
	played, still := languagetest.New(t, how), &clock{now: time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)}
	tree := atWork(t, actorstest.Setup{
		Environ: played.Environ, Policy: &actors.Policy{Coding: true, Person: true, Approval: messages.ApproveAll},
		Tuning: tuning, Lsp: &language.Set{Own: played.Own, Now: still.Now},
	}, files.Tools()...)
	return served{tree, played, still}
}

// writes makes the model write a new file, and returns the tool result.
func (s served) writes(t *testing.T, path, content string) string {
	t.Helper()
	return s.call(t, modeltest.Call{Name: "create_file", Args: createArgs{Path: path, Content: content}})[0]
}

// ended waits until this many servers have ended since the conversation began.
func (s served) ended(count int) {
	for {
		ends, run := 0, 0
		for _, told := range actorstest.Pick[messages.Diagnosed](s.Seen) {
			if len(told.Servers) < run {
				ends++
			}
			run = len(told.Servers)
		}
		if ends >= count {
			return
		}
		actorstest.ReadUntil[messages.Diagnosed](s.Tree)
	}
}

// ends waits until a process has ended and its memory is free.
func ends(t *testing.T, pid int) {
	t.Helper()
	for end := time.Now().Add(actorstest.Patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if syscall.Kill(pid, 0) != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
	}
	t.Errorf("process %d lives", pid)
}

// A server is not started before a file of its language is written or asked about.
func TestNoLanguageServerIsStartedBeforeItIsWanted(t *testing.T) {
	s := serves(t, "well", actors.Tuning{Problems: actorstest.Patience})
	if err := os.WriteFile(s.dir+"/old.txt", []byte("bad\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Prompt("hello")
	s.writes(t, "a.md", "bad\n")
	s.call(t, modeltest.Call{Name: "read_file", Args: createArgs{Path: "old.txt"}})
	s.call(t, modeltest.Call{Name: "run_command", Args: runArgs{Command: "echo bad > made.txt"}})
	if pids, all := s.Started(t), s.System.LanguageServers(t.Context()); len(pids) > 0 || len(all) > 0 {
		t.Errorf("it was started: %v, %+v", pids, all)
	}
	if said := s.writes(t, "a.txt", "good\nbad\n"); !strings.Contains(said, "a.txt:2:1: error: line: bad") {
		t.Errorf("%s", said)
	}
	if s.writes(t, "b.txt", "good\n"); len(s.Started(t)) != 1 {
		t.Errorf("started were %v", s.Started(t))
	}
}

func TestAnIdleLanguageServerEnds(t *testing.T) {
	const idle = 10 * time.Millisecond
	s := serves(t, "well", actors.Tuning{Problems: actorstest.Patience, LanguageIdle: idle})
	s.writes(t, "1.txt", "bad\n")
	s.clock.pass(idle - time.Nanosecond)
	if said := s.writes(t, "2.txt", "bad again\n"); len(s.Started(t)) != 1 || !strings.Contains(said, "line: bad again") {
		t.Fatalf("started were %v; %s", s.Started(t), said)
	}
	s.clock.pass(idle - time.Nanosecond) // since the last use
	if said := s.writes(t, "3.txt", "bad still\n"); len(s.Started(t)) != 1 || !strings.Contains(said, "line: bad still") {
		t.Fatalf("started were %v; %s", s.Started(t), said)
	}
	s.clock.pass(idle)
	s.ended(1)
	ends(t, s.Started(t)[0])
	if all := s.System.LanguageServers(t.Context()); len(all) != 1 || all[0].State != "not running" || all[0].Err != "" {
		t.Errorf("%+v", all)
	}
	if said := s.writes(t, "4.txt", "bad anew\n"); len(s.Started(t)) != 2 || !strings.Contains(said, "line: bad anew") {
		t.Errorf("started were %v; %s", s.Started(t), said)
	}
}

func TestALanguageServerThatDiesThreeTimesRests(t *testing.T) {
	for _, how := range []string{"dies", "dies later"} { // at once, or when it checks a file
		t.Run(how, func(t *testing.T) {
			s, wrote := serves(t, how, actors.Tuning{Problems: actorstest.Patience}), 0
			write := func() {
				wrote++
				s.writes(t, fmt.Sprintf("%d.txt", wrote), "bad\n")
			}
			dies := func(from int) {
				for n := range 3 {
					if write(); how == "dies later" { // the call may see this before the restart
						s.ended(from + n + 1)
					}
				}
			}
			started := func(what string, want int) {
				t.Helper()
				if pids := s.Started(t); len(pids) != want {
					t.Errorf("%s: started were %v", what, pids)
				}
			}
			dies(0)
			notices := actorstest.Pick[messages.Notice](s.Seen)
			for ; len(notices) == 0; notices = actorstest.Pick[messages.Notice](s.Seen) {
				actorstest.ReadUntil[messages.Notice](s.Tree)
			}
			if len(notices) != 1 || notices[0].Level != messages.Warning || !strings.Contains(notices[0].Text, "it failed 3 times and is paused for 1m0s (/lsp restart played)") {
				t.Errorf("%+v", notices)
			}
			write()
			s.clock.pass(time.Minute - time.Nanosecond)
			write()
			started("while it rests", 3)
			if all := s.System.LanguageServers(t.Context()); len(all) != 1 || all[0].State != "resting until 09:01:00" || all[0].Err == "" {
				t.Errorf("%+v", all)
			}
			s.clock.pass(time.Nanosecond)
			dies(3)
			started("after the rest", 6)
			s.System.RestartLanguage("played")
			write()
			started("after /lsp restart", 7)
		})
	}
}

func TestLateDiagnosticsComeWithNextRequest(t *testing.T) {
	s := serves(t, "holds", actors.Tuning{Problems: 50 * time.Millisecond})
	if said := s.writes(t, "a.txt", "bad at first\n"); !strings.Contains(said, "[played: not everything is checked yet; more findings will come with a later message]") || strings.Contains(said, "Problems") {
		t.Errorf("the call says %s", said)
	}
	if err := os.WriteFile(s.dir+"/a.txt", []byte("bad by hand\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Release(t)
	if notice := actorstest.ReadUntil[messages.Notice](s.Tree); !strings.Contains(notice.Text, "🔎 played has checked the files as they are now. Problems now (errors: 1, warnings: 0):\na.txt:1:1: error: line: bad by hand") {
		t.Errorf("the person is told %q", notice.Text)
	}
	if told := s.Prompt("go on"); told.Ended.Outcome != messages.Completed {
		t.Errorf("%+v", told.Ended)
	}
	requests := s.server.Requests()
	if last := string(requests[len(requests)-1].Raw); !strings.Contains(last, "played has checked the files as they are now") || !strings.Contains(last, "line: bad by hand") {
		t.Errorf("the model is told %s", last)
	}
}

// A server that is still checking earlier files delays no call; its findings come later.
func TestALanguageServerThatIsBehindIsNotWaitedFor(t *testing.T) {
	s := serves(t, "holds", actors.Tuning{Problems: 2 * actorstest.Patience, ProblemsLate: 2 * actorstest.Patience}) // longer than this test takes
	s.Client.Send(messages.Prompt{Text: `[{"Name": "create_file", "Args": {"path": "a.txt", "content": "bad at first\n"}}]`})
	for end := time.Now().Add(actorstest.Patience); !s.Received(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the server was not told of the file")
		}
	}
	s.Client.Send(messages.Cancel{})
	s.Finish()
	for _, path := range []string{"b.txt", "c.txt"} {
		before := time.Now()
		if said := s.writes(t, path, "bad\n"); !strings.Contains(said, "[played: not everything is checked yet; more findings will come with a later message]") {
			t.Errorf("the call says %s", said)
		}
		if waited := time.Since(before); waited > 20*time.Second { // a call that waited would take half a minute
			t.Errorf("%s was waited for %s", path, waited)
		}
	}
	s.Release(t)
	told := ""
	for !strings.Contains(told, "a.txt:1:1") || !strings.Contains(told, "b.txt:1:1") || !strings.Contains(told, "c.txt:1:1") {
		told += actorstest.ReadUntil[messages.Notice](s.Tree).Text + "\n"
	}
	if count := strings.Count(told, "🔎 played has looked"); count > 2 { // once for a.txt and once for the later files
		t.Errorf("told %d times:\n%s", count, told)
	}
}
