package shell

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/artifacts"
	"marvin/tools"
	"marvin/tools/coding"
	"marvin/tools/files"
)

// keeping returns an environment that stores long outputs.
func keeping(t testing.TB) tools.Env {
	t.Helper()
	env := newEnv(t)
	env.Home, env.Room = t.TempDir(), 100_000
	env.Artifacts = artifacts.New(persistence.Open(env.Home, time.Now), "one")
	return env
}

// do calls a tool.
func do(t *testing.T, env tools.Env, name, args string) (tools.Output, error) {
	t.Helper()
	for _, tool := range append(append(Tools(), files.Tools()...), coding.Tools()...) {
		if tool.Name != name {
			continue
		}
		call, err := tool.Decode(json.RawMessage(args))
		if err != nil {
			t.Fatal(err)
		}
		return call.Run(t.Context(), env)
	}
	t.Fatalf("there is no tool %s", name)
	return tools.Output{}, nil
}

// The middle of a log of 40 MB needs only one more call, which the note in the first result names.
// The first result has 20 KB.
func TestTheMiddleOfALongLogIsOneCallAway(t *testing.T) {
	env := keeping(t)
	shown, err := do(t, env, "run_command", `{"command":"seq -f 'line %07.0f of a long log' 1500000 | sed '700000s/.*/FAIL here/'"}`)
	if err != nil || len(shown.Text) > 21<<10 || !strings.Contains(shown.Text, "line 0000001 ") || !strings.Contains(shown.Text, "line 1500000 ") {
		t.Fatalf("%d bytes, %v: %.300s", len(shown.Text), err, shown.Text)
	}
	if !strings.Contains(shown.Text, "[all 1500000 lines (") {
		t.Errorf("the notice does not count: %s", shown.Text[len(shown.Text)-600:])
	}
	found, err := do(t, env, "code_grep", `{"path":"artifact:1","pattern":"FAIL"}`)
	if err != nil || !strings.Contains(found.Text, "artifact:1:700000\n") || !strings.Contains(found.Text, ">  700000  FAIL here") && !strings.Contains(found.Text, "> 700000  FAIL here") {
		t.Errorf("%s, %v", found.Text, err)
	}
	part, err := do(t, env, "read_file", `{"path":"artifact:1:699999-700001"}`)
	if err != nil || part.Text != "699999. line 0699999 of a long log\n700000. FAIL here\n700001. line 0700001 of a long log\n" {
		t.Errorf("%q, %v", part.Text, err)
	}
	next := regexp.MustCompile(`read_file (\{[^}]*\})`).FindStringSubmatch(shown.Text)
	if next == nil {
		t.Fatal("the notice names no call")
	}
	lines := strings.Count(strings.Split(shown.Text, "[…")[0], "\n")
	on, err := do(t, env, "read_file", next[1])
	if want := fmt.Sprintf("%d. line %07d of", lines+1, lines+1); err != nil || !strings.HasPrefix(on.Text, want) {
		t.Errorf("%s reads %.100q, want %q, %v", next[1], on.Text, want, err)
	}
}

func TestOrdinaryOutputsAreShownWholeAndNotKept(t *testing.T) {
	env := keeping(t)
	shown, err := do(t, env, "run_command", `{"command":"seq -f 'thirty bytes or so, line %04.0f' 900"}`)
	if err != nil || strings.Contains(shown.Text, "left out") || len(env.Artifacts.List()) != 0 {
		t.Errorf("%d bytes, %v, %v", len(shown.Text), err, env.Artifacts.List())
	}
}

func TestAnEndlessOutputIsBounded(t *testing.T) {
	env := keeping(t)
	shown, err := do(t, env, "run_command", `{"command":"yes 'the same line again and again' | head -c 90000000"}`)
	all := env.Artifacts.List()
	if err != nil || len(all) != 1 || all[0].Size > artifacts.MaxSize || all[0].Total != 90_000_000 {
		t.Fatalf("%+v, %v", all, err)
	}
	if !strings.Contains(shown.Text, fmt.Sprintf("[the first %d lines (%d of 90000000 bytes) are stored as artifact:1", all[0].Lines, all[0].Size)) {
		t.Errorf("%s", shown.Text[len(shown.Text)-600:])
	}
}

func TestBothStreamsStandInAnArtifactAsTheyCame(t *testing.T) {
	env := keeping(t)
	env.Environ = append(env.Environ, "OPENAI_API_KEY=sk-abcdefghijklmnopqrstuvwx")
	_, err := do(t, env, "run_command", `{"command":"echo first; sleep 0.2; echo second >&2; sleep 0.2; printf 'sk-abcdefghijklm'; printf 'nopqrstuvwx\n'; seq 20000; printf end"}`)
	if err != nil {
		t.Fatal(err)
	}
	part, err := do(t, env, "read_file", `{"path":"artifact:1","start_line":1,"end_line":4}`)
	if err != nil || !strings.HasPrefix(part.Text, "1. first\n2. second\n3. ") || strings.Contains(part.Text, "abcdefgh") {
		t.Errorf("%q, %v", part.Text, err)
	}
	last, err := do(t, env, "read_file", `{"path":"artifact:1","start_line":20003}`)
	if err != nil || !strings.Contains(last.Text, "20003. 20000\n20004. end") {
		t.Errorf("%q, %v", last.Text, err)
	}
}

func TestTheOutputOfACommandThatTimesOutIsKept(t *testing.T) {
	env := keeping(t)
	_, err := do(t, env, "run_command", `{"command":"seq 100000; sleep 60","timeout":2}`)
	if err == nil || !strings.Contains(err.Error(), "are stored as artifact:1: read_file") {
		t.Errorf("%v", err)
	}
}

// An output that is diverted in the middle is complete there, however much of it was on the disk.
func TestDivertedOutputIsWhole(t *testing.T) {
	for _, before := range []int{0, 10, 200_000} {
		env := keeping(t)
		spool := env.NewSpool("run_command", "seq")
		var all, want strings.Builder
		put := func(i int) {
			line := fmt.Sprintf("line %d", i) // in two writes, so that a line is unfinished in between
			for _, part := range []string{line, "\n"} {
				want.WriteString(part)
				if _, err := spool.Write([]byte(part)); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i := range before {
			put(i)
		}
		_, _ = spool.Write([]byte("open"))
		want.WriteString("open")
		if err := spool.Divert(&all); err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			put(i)
		}
		if all.String() != want.String() {
			t.Errorf("after %d lines there are %d bytes of %d", before, all.Len(), want.Len())
		}
	}
}

// An output is stored once, and can still be diverted: a command may end while it is being moved to
// the background.
func TestASpoolThatIsKeptIsWhole(t *testing.T) {
	for _, lines := range []int{10, 200_000} {
		var want strings.Builder
		for i := range lines {
			fmt.Fprintf(&want, "line %d\n", i)
		}
		want.WriteString("open")
		begin := func(env tools.Env) *tools.Spool {
			spool := env.NewSpool("run_command", "seq")
			_, _ = spool.Write([]byte(want.String()))
			return spool
		}
		env := keeping(t)
		spool := begin(env)
		kept, err := spool.Keep()
		content, failed := os.ReadFile(env.Artifacts.Place(kept.Number))
		if err != nil || failed != nil || string(content) != want.String() || kept.Lines != int64(lines)+1 {
			t.Errorf("%d lines: %d bytes are kept as %+v, %v, %v", lines, len(content), kept, err, failed)
		}
		if again, err := spool.Keep(); err == nil || len(env.Artifacts.List()) != 1 {
			t.Errorf("kept again as %+v", again)
		}
		var all strings.Builder
		if err := spool.Divert(&all); err != nil || all.String() != want.String() {
			t.Errorf("%d lines: %d bytes were diverted, %v", lines, all.Len(), err)
		}
	}
}
