package persistence

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// crashed is what a turn of a process that is gone leaves: its lock is free.
func crashed(t *testing.T, turn *RunningTurn) {
	t.Helper()
	must(t, turn.lock.Close())
}

func talked(t *testing.T, p Profile) string {
	t.Helper()
	entries, err := p.Chat().Tail(1000)
	must(t, err)
	var lines []string
	for _, entry := range entries {
		lines = append(lines, entry.Role+": "+entry.Text)
	}
	return strings.Join(lines, "|")
}

func begun(t *testing.T, p Profile, prompt string, pieces ...string) *RunningTurn {
	t.Helper()
	turn, err := p.Turns().Begin(prompt)
	must(t, err)
	for _, piece := range pieces {
		must(t, turn.Say(piece))
	}
	return turn
}

// R5: what a crash left of a turn is in the log after the next start, once.
func TestFindingR5WhatACrashLeftIsRecoveredOnce(t *testing.T) {
	p := Open(t.TempDir(), now).Profile("default")
	must(t, p.Chat().Append(ChatEntry{Role: "you", Text: "before"}))
	crashed(t, begun(t, p, "question", "half ", "an\nanswer"))
	crashed(t, begun(t, p, "not answered"))
	living := begun(t, p, "elsewhere", "still ")
	for round, want := range []int{2, 0} {
		prompts, err := p.Turns().Recover()
		if err != nil || len(prompts) != want || want > 0 && !slices.Contains(prompts, "question") {
			t.Errorf("round %d: recovered %q, %v", round, prompts, err)
		}
	}
	must(t, living.Say("answered"))
	must(t, p.Turns().End(living, ChatEntry{Role: "you", Text: "elsewhere"}, ChatEntry{Role: "assistant", Text: "still answered"}))
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

// A process may be killed at any byte that it writes, and so may the one that recovers.
func TestFindingR5KilledAtAnyByte(t *testing.T) {
	p := Open(t.TempDir(), now).Profile("default")
	path := p.path("running.jsonl")
	must(t, p.Chat().Append(ChatEntry{Role: "you", Text: "before"}, ChatEntry{Role: "assistant", Text: "yes"}))
	before := get(t, p.path("chat_log.json"))
	entries := []ChatEntry{{Role: "you", Text: "question", Time: "12:30"}, {Role: "assistant", Text: "the answer", Time: "12:30"}}
	turn := begun(t, p, "question", "the ", "answer")
	must(t, turn.add(runningLine{Closing: entries}))
	crashed(t, turn)
	whole := get(t, path)
	must(t, p.Chat().Append(entries...))
	logged := get(t, p.path("chat_log.json"))
	for cut := range len(whole) + 1 {
		for _, log := range []string{before, logged} {
			if log == logged && cut < len(whole)-1 {
				continue // the log is written behind the last line only
			}
			put(t, p.path("chat_log.json"), log)
			put(t, path, whole[:cut])
			for range 2 {
				if _, err := p.Turns().Recover(); err != nil {
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

// Where the log cannot be written the turn waits for the next start.
func TestFindingR5ALogThatCannotBeWritten(t *testing.T) {
	p := Open(t.TempDir(), now).Profile("default")
	turn := begun(t, p, "question", "an answer")
	must(t, os.Mkdir(p.path("chat_log.json"), 0o700))
	entries := []ChatEntry{{Role: "you", Text: "question"}, {Role: "assistant", Text: "an answer"}}
	if err := p.Turns().End(turn, entries...); err == nil {
		t.Fatal("it was written")
	}
	crashed(t, begun(t, p, "the next", "one")) // does not write over it
	must(t, os.Remove(p.path("chat_log.json")))
	if prompts, err := p.Turns().Recover(); err != nil || len(prompts) != 2 {
		t.Errorf("recovered %q, %v", prompts, err)
	}
	if got := talked(t, p); strings.Count(got, "you: question|assistant: an answer") != 1 || strings.Count(got, "you: the next|assistant: one\n"+interrupted) != 1 {
		t.Errorf("the log has %s", got)
	}
}

func TestARunningTurnWithoutAPlace(t *testing.T) {
	none := Open("", now).Profile("default")
	turn, err := none.Turns().Begin("question")
	must(t, errors.Join(err, turn.Say("x")))
	if err := none.Turns().End(turn, ChatEntry{Role: "you", Text: "question"}); !errors.Is(err, ErrNoHome) {
		t.Errorf("without a home: %v", err)
	}
	p := Open(t.TempDir(), now).Profile("default")
	var all []*RunningTurn
	for range runningTurns + 1 {
		all = append(all, begun(t, p, "question"))
	}
	for _, turn := range all { // the last one has no file, and ends as well
		must(t, p.Turns().End(turn, ChatEntry{Role: "you", Text: "question"}))
	}
	if got := talked(t, p); strings.Count(got, "you: question") != runningTurns+1 {
		t.Errorf("the log has %s", got)
	}
}
