package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/persistence/disktest"
	"marvin/persistence/settings"
	"marvin/tools"
)

func anyTool(name string) (string, bool) { return name, true }

// scripts is a directory with hooks, and a place to run them in a project beside it.
func scripts(t *testing.T, bodies map[string]string) HookEnv {
	t.Helper()
	config := t.TempDir()
	for name, body := range bodies {
		if err := disktest.WriteProgram(filepath.Join(config, name), []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	project := t.TempDir()
	return HookEnv{Config: config, Env: tools.Env{Dir: project, Root: project, Environ: []string{"PATH=/usr/bin:/bin", "SECRET_TOKEN=s3cr3t"}, Now: time.Now}}
}

func one(event Event, timeout time.Duration, run ...string) []Hook {
	set, problems := New(map[string][]settings.Hook{string(event): {{Run: run, Timeout: timeout}}}, anyTool)
	if problems != nil {
		panic(problems)
	}
	return set.Matching(event, "run_command")
}

func call(args string) HookInput {
	return HookInput{Event: ToolBefore, Session: "s1", Dir: "/d", Tool: "run_command", Args: json.RawMessage(args)}
}

func TestAHookReadsWhatHappens(t *testing.T) {
	place := scripts(t, map[string]string{"check.sh": `cat > "$0.said"; env > "$0.env"; pwd > "$0.pwd"`})
	outcome := Run(context.Background(), place, one(ToolBefore, 0, "./check.sh"), call(`{"command":"a && b"}`))
	if outcome.Decision != Pass || outcome.Problems != nil {
		t.Fatalf("%+v", outcome)
	}
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(place.Config, "check.sh."+name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := `{"event":"tool.execute.before","session":"s1","dir":"/d","tool":"run_command","args":{"command":"a && b"}}` + "\n"
	if got := read("said"); got != want {
		t.Errorf("it reads %s", got)
	}
	if env := read("env"); strings.Contains(env, "s3cr3t") || !strings.Contains(env, "MARVIN_DEPTH=1") {
		t.Errorf("its environment: %s", env)
	}
	if got := strings.TrimSpace(read("pwd")); got != place.Env.Dir {
		t.Errorf("it runs in %s", got)
	}
}

// A hundred or more real programs, or as many as HOOKS says: whatever exit code, signal, answer or hang,
// a gate opens after a clear yes only.
func TestNoBlockOfARealProgramIsMissed(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	missed, blocks := 0, 0
	many := 300
	if testing.Short() {
		many = 100
	}
	if text := os.Getenv("HOOKS"); text != "" {
		var err error
		if many, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for i := range many {
		clear, end := random.IntN(2) == 0, []string{"exit 0", "exit 0", "exit 0", "exit 1", "exit 2", "exit 77", "kill -9 $$", "kill -SEGV $$", "kill -TERM $$", "exec sleep 600", "exec /nothing/here"}[random.IntN(11)]
		text := unclearAnswers[random.IntN(len(unclearAnswers))]
		if clear {
			text = clearAnswers[random.IntN(len(clearAnswers))]
		}
		place := scripts(t, nil)
		if err := os.WriteFile(filepath.Join(place.Config, "said"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		body := fmt.Sprintf("#!/bin/sh\ncat > /dev/null\ncat %s/said\n%s\n", place.Config, end)
		if err := disktest.WriteProgram(filepath.Join(place.Config, "h"), []byte(body), 0o700); err != nil {
			t.Fatal(err)
		}
		limit := time.Minute
		if strings.Contains(end, "sleep") {
			limit = 50 * time.Millisecond
		}
		outcome := Run(context.Background(), place, one(ToolBefore, limit, "./h"), call(`{}`))
		opens := clear && end == "exit 0"
		if !opens {
			blocks++
		}
		if opens != (outcome.Decision != No) {
			missed++
			t.Errorf("%d: %q then %s: %+v", i, text, end, outcome)
		}
	}
	t.Logf("%d blocks, %d missed", blocks, missed)
}

func TestAHookThatIsNotThereBlocks(t *testing.T) {
	place := scripts(t, map[string]string{"plain": "exit 0"})
	if err := os.Chmod(filepath.Join(place.Config, "plain"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, run := range []string{"./missing", "./plain", "no-such-program-anywhere", "."} {
		if outcome := Run(context.Background(), place, one(ToolBefore, 0, run), call(`{}`)); outcome.Decision != No || len(outcome.Problems) != 1 {
			t.Errorf("%s: %+v", run, outcome)
		}
	}
}

func TestAHookInTheProjectDoesNotRun(t *testing.T) {
	place := scripts(t, nil)
	inside := filepath.Join(place.Env.Dir, "check.sh")
	if err := disktest.WriteProgram(inside, []byte("#!/bin/sh\ntouch "+place.Config+"/ran\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(inside, filepath.Join(place.Config, "link.sh")); err != nil {
		t.Fatal(err)
	}
	for _, run := range [][]string{{inside}, {"./link.sh"}, {"sh", inside}, {"sh", "./check.sh"}} {
		outcome := Run(context.Background(), place, one(ToolBefore, 0, run...), call(`{}`))
		if outcome.Decision != No || !strings.Contains(outcome.Reason, "sandbox: true") {
			t.Errorf("%q: %+v", run, outcome)
		}
	}
	if _, err := os.Stat(filepath.Join(place.Config, "ran")); !errors.Is(err, os.ErrNotExist) {
		t.Error("it ran")
	}
}

func TestAHookBesideTheConfigurationRunsAnywhere(t *testing.T) {
	place := scripts(t, map[string]string{"h": "echo no >&2; exit 2", "inner": "exit 0"})
	place.Env.Dir, place.Env.Root = filepath.Dir(place.Config), filepath.Dir(place.Config)
	if got := Run(context.Background(), place, one(ToolBefore, 0, "./h"), call(`{}`)); got.Decision != No || !strings.HasSuffix(got.Reason, ": no") {
		t.Errorf("%+v", got)
	}
	if got := Run(context.Background(), place, one(ToolBefore, 0, "sh", "./inner"), call(`{}`)); got.Decision != No {
		t.Errorf("a word of a program is read in the working directory: %+v", got)
	}
	outside := filepath.Join(place.Env.Dir, "outside")
	if err := disktest.WriteProgram(outside, []byte("#!/bin/sh\nexit 0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(place.Config, "link")); err != nil {
		t.Fatal(err)
	}
	if got := Run(context.Background(), place, one(ToolBefore, 0, "./link"), call(`{}`)); got.Decision != No {
		t.Errorf("a link out of it: %+v", got)
	}
}

func TestHostileHooks(t *testing.T) {
	t.Parallel()
	place := scripts(t, map[string]string{
		"flood":  "head -c 1000000000 /dev/zero; exit 0",
		"noise":  "head -c 100000000 /dev/zero >&2; exit 0",
		"hang":   "trap '' TERM; cat > /dev/null; while :; do sleep 1; done",
		"fork":   `(setsid sh -c 'echo $$ > "$1"; exec sleep 600' x ` + "$0.pid" + ` > /dev/null 2>&1 &); while [ ! -s $0.pid ]; do sleep 0.01; done; echo '{"decision":"allow"}'`,
		"colour": `printf '{"decision":"deny","reason":"\\u001b[31mred\\u001b[0m"}'`,
		"one":    "echo no >&2; exit 1",
	})
	tell := func(name string, limit time.Duration) Outcome {
		return Run(context.Background(), place, one(ToolBefore, limit, "./"+name), call(`{}`))
	}
	if got := tell("flood", 2*time.Minute); got.Decision != No || !strings.Contains(got.Reason, "longer than") {
		t.Errorf("flood: %.300v", got)
	}
	if got := tell("noise", 2*time.Minute); got.Decision != Pass {
		t.Errorf("what goes to standard error is no answer: %.300v", got)
	}
	if got := tell("hang", 300*time.Millisecond); got.Decision != No || !strings.Contains(got.Reason, "longer than") {
		t.Errorf("hang: %v", got)
	}
	if got := tell("colour", 0); strings.ContainsRune(got.Reason, '\x1b') || !strings.Contains(got.Reason, "red") {
		t.Errorf("colour: %q", got.Reason)
	}
	if got := tell("one", 0); got.Decision != No || !strings.Contains(got.Reason, "no") {
		t.Errorf("one: %v", got)
	}
	if got := tell("fork", 2*time.Minute); got.Decision != Pass {
		t.Errorf("fork: %v", got)
	}
	pid, err := os.ReadFile(filepath.Join(place.Config, "fork.pid"))
	if err != nil {
		t.Fatal(err)
	}
	state, err := os.ReadFile("/proc/" + strings.TrimSpace(string(pid)) + "/stat")
	if err == nil && !strings.Contains(string(state), ") Z ") {
		t.Errorf("what it forked away lives on: %s", state)
	}
}

// One hook hears what the one before made of a call, and the first no is the last word.
func TestHooksFollowEachOther(t *testing.T) {
	place := scripts(t, map[string]string{
		"first":  `echo '{"args":{"command":"two"},"context":"one changed it"}'`,
		"second": `grep -q '"command":"two"' || exit 1; echo '{"decision":"ask","reason":"really?"}'`,
		"third":  `echo because >&2; exit 2`,
		"fourth": `touch "$0.ran"`,
	})
	set, _ := New(map[string][]settings.Hook{string(ToolBefore): {{Run: []string{"./first"}}, {Run: []string{"./second"}}}}, anyTool)
	got := Run(context.Background(), place, set.Matching(ToolBefore, "x"), call(`{"command":"one"}`))
	if got.Decision != Ask || string(got.Args) != `{"command":"two"}` || len(got.Context) != 1 || !strings.Contains(got.Reason, "really?") {
		t.Errorf("%+v", got)
	}
	set, _ = New(map[string][]settings.Hook{string(ToolBefore): {{Run: []string{"./second"}}, {Run: []string{"./third"}}, {Run: []string{"./fourth"}}}}, anyTool)
	if got = Run(context.Background(), place, set.Matching(ToolBefore, "x"), call(`{"command":"two"}`)); got.Decision != No || !strings.Contains(got.Reason, "because") {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(filepath.Join(place.Config, "fourth.ran")); err == nil {
		t.Error("a hook behind the no ran")
	}
}

func TestHooksOfABranchOfMarvinsEnd(t *testing.T) {
	place := scripts(t, map[string]string{"h": "exit 0"})
	place.Env.Environ = append(place.Env.Environ, "MARVIN_DEPTH=6")
	if got := Run(context.Background(), place, one(ToolBefore, 0, "./h"), call(`{}`)); got.Decision != No {
		t.Errorf("%+v", got)
	}
}
