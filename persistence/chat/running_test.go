package chat

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

// crashed simulates the end of the process of a turn by releasing the lock.
func crashed(t *testing.T, turn *Turn) {
	t.Helper()
	storetest.Must(t, turn.lock.Close())
}

func talked(t *testing.T, p store.Profile) string {
	t.Helper()
	entries, err := New(p).Tail(1000)
	storetest.Must(t, err)
	var lines []string
	for _, entry := range entries {
		lines = append(lines, entry.Role+": "+entry.Text)
	}
	return strings.Join(lines, "|")
}

func begun(t *testing.T, p store.Profile, prompt string, pieces ...string) *Turn {
	t.Helper()
	turn, err := TurnsOf(p).Begin(prompt)
	storetest.Must(t, err)
	for _, piece := range pieces {
		storetest.Must(t, turn.Say(piece))
	}
	return turn
}

func TestCrashedTurnIsRecoveredOnce(t *testing.T) {
	p := store.Open(t.TempDir(), storetest.Now).Profile("default")
	storetest.Must(t, New(p).Append(Entry{Role: "you", Text: "before"}))
	crashed(t, begun(t, p, "question", "half ", "an\nanswer"))
	crashed(t, begun(t, p, "not answered"))
	living := begun(t, p, "elsewhere", "still ")
	for round, want := range []int{2, 0} {
		prompts, err := TurnsOf(p).Recover()
		if err != nil || len(prompts) != want || want > 0 && !slices.Contains(prompts, "question") {
			t.Errorf("round %d: recovered %q, %v", round, prompts, err)
		}
	}
	storetest.Must(t, living.Say("answered"))
	storetest.Must(t, TurnsOf(p).End(living, Entry{Role: "you", Text: "elsewhere"}, Entry{Role: "assistant", Text: "still answered"}))
	got := talked(t, p)
	for _, want := range []string{
		"you: before|you: ", "you: question|assistant: half an\nanswer\n" + interrupted, "you: not answered|assistant: " + interrupted, "|you: elsewhere|assistant: still answered",
	} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is %d times in the log:\n%s", want, strings.Count(got, want), got)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(p.Dir, "running*")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// A process may be killed at any byte that it writes, and so may the process that recovers the
// turn.
func TestKilledAtAnyByte(t *testing.T) {
	p := store.Open(t.TempDir(), storetest.Now).Profile("default")
	path := p.Path("running.jsonl")
	storetest.Must(t, New(p).Append(Entry{Role: "you", Text: "before"}, Entry{Role: "assistant", Text: "yes"}))
	before := storetest.Get(t, p.Path("chat_log.json"))
	entries := []Entry{{Role: "you", Text: "question", Time: "12:30"}, {Role: "assistant", Text: "the answer", Time: "12:30"}}
	turn := begun(t, p, "question", "the ", "answer")
	storetest.Must(t, turn.add(runningLine{Closing: entries}))
	crashed(t, turn)
	whole := storetest.Get(t, path)
	storetest.Must(t, New(p).Append(entries...))
	logged := storetest.Get(t, p.Path("chat_log.json"))
	for cut := range len(whole) + 1 {
		for _, log := range []string{before, logged} {
			if log == logged && cut < len(whole)-1 {
				continue // only the last line is followed by the log
			}
			storetest.Put(t, p.Path("chat_log.json"), log)
			storetest.Put(t, path, whole[:cut])
			for range 2 {
				if _, err := TurnsOf(p).Recover(); err != nil {
					t.Fatal(err)
				}
			}
			got := talked(t, p)
			prompts, answers := strings.Count(got, "you: question"), strings.Count(got, "assistant: ")
			if asked := cut >= strings.Index(whole, "\n"); asked != (prompts == 1) || prompts > 1 || answers != prompts+1 {
				t.Fatalf("of %q the log has %s", whole[:cut], got)
			}
		}
	}
}

// If the log cannot be written, the turn stays until the next start.
func TestALogThatCannotBeWritten(t *testing.T) {
	p := store.Open(t.TempDir(), storetest.Now).Profile("default")
	turn := begun(t, p, "question", "an answer")
	storetest.Must(t, os.Mkdir(p.Path("chat_log.json"), 0o700))
	entries := []Entry{{Role: "you", Text: "question"}, {Role: "assistant", Text: "an answer"}}
	if err := TurnsOf(p).End(turn, entries...); err == nil {
		t.Fatal("it was written")
	}
	crashed(t, begun(t, p, "the next", "one")) // does not write over it
	storetest.Must(t, os.Remove(p.Path("chat_log.json")))
	if prompts, err := TurnsOf(p).Recover(); err != nil || len(prompts) != 2 {
		t.Errorf("recovered %q, %v", prompts, err)
	}
	if got := talked(t, p); strings.Count(got, "you: question|assistant: an answer") != 1 || strings.Count(got, "you: the next|assistant: one\n"+interrupted) != 1 {
		t.Errorf("the log has %s", got)
	}
}

func TestARunningTurnWithoutAPlace(t *testing.T) {
	none := store.Open("", storetest.Now).Profile("default")
	turn, err := TurnsOf(none).Begin("question")
	storetest.Must(t, errors.Join(err, turn.Say("x")))
	if err := TurnsOf(none).End(turn, Entry{Role: "you", Text: "question"}); !errors.Is(err, store.ErrNoHome) {
		t.Errorf("without a home: %v", err)
	}
	p := store.Open(t.TempDir(), storetest.Now).Profile("default")
	var all []*Turn
	for range runningTurns + 1 {
		all = append(all, begun(t, p, "question"))
	}
	for _, turn := range all { // the last one has no file, and ends as well
		storetest.Must(t, TurnsOf(p).End(turn, Entry{Role: "you", Text: "question"}))
	}
	if got := talked(t, p); strings.Count(got, "you: question") != runningTurns+1 {
		t.Errorf("the log has %s", got)
	}
}
