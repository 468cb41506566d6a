package schedule

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"marvin/persistence/schedules"
)

// values passes results to a watch one after the other, and returns the ones at which it reports.
func values(t *testing.T, watch schedules.Watch, results ...string) string {
	t.Helper()
	var out []string
	for _, result := range results {
		_, exit, _ := strings.Cut(result, "exit code: ")
		code, _ := strconv.Atoi(exit)
		look, err := compare(watch, result, code)
		switch {
		case err != nil:
			t.Fatal(err)
		case look.Base:
			out = append(out, "base")
		case look.Reports:
			out = append(out, look.Old+"→"+*look.Watch.Value)
		default:
			out = append(out, "-")
		}
		watch = look.Watch
	}
	return strings.Join(out, " ")
}

func TestAWatchReportsWhatItsConditionSays(t *testing.T) {
	for _, one := range []struct{ tool, when, pick, results, want string }{
		{"read_file", "changed", "", "a|a|  a \n\n|b|b|a", "base - - a→b - b→a"},
		{"read_file", "changed", "", "at 8:00|at 9:00", "base at 8:00→at 9:00"}, // times in a file are not ignored
		{"browse_web", "changed", "", "x, 3 minutes ago, 14:05|x, an hour ago, 15:06:07|y, just now", "base - x, 3 minutes ago, 14:05→y, just now"},
		{"github_checks", "changed", "", "lint ok 3m12s\ntest ok 8s|test ok 9s\nlint ok 3m1s", "base -"},
		{"github_checks", "matches fail|red", "", "ok|FAILED|failed 2|ok|failed", "base ok→FAILED - - ok→failed"},
		{"github_checks", "matches fail", "", "failed|failed", "base -"},
		{"read_file", "lacks ok", "", "ok|no|ok", "base ok→no -"},
		{"read_file", "below 10", `price (\d+)`, "5 of, price 12|5 of, price 9|price 8|price 11|price 1", "base 12→9 - - 11→1"},
		{"run_command", "fails", "", "x\nexit code: 1|ok\nexit code: 0|x\nexit code: 2|y\nexit code: 2", "base - ok\nexit code: 0→x\nexit code: 2 -"},
		{"run_command", "passes", "", "x\nexit code: 1|ok\nexit code: 0", "base x\nexit code: 1→ok\nexit code: 0"},
		{"run_command", "changed", "", "ok 1.2s\nexit code: 0|ok 3s\nexit code: 0|ok 3s\nexit code: 1", "base - ok 1.2s\nexit code: 0→ok 3s\nexit code: 1"},
		{"weather_forecast", "above 0", "", "-3 °C|4 °C", "base -3 °C→4 °C"},
	} {
		watch := schedules.Watch{Tool: one.tool, When: one.when, Pick: one.pick}
		if got := values(t, watch, strings.Split(one.results, "|")...); got != one.want {
			t.Errorf("%s %s: %s, want %s", one.tool, one.when, got, one.want)
		}
	}
	for _, when := range []string{"sometimes", "matches", "matches (", "below", "below x", "changed a lot", "fails"} {
		if _, err := condition(&schedules.Watch{When: when}); err == nil {
			t.Errorf("%q is a condition", when)
		}
	}
}

// A check sends nothing to a model. After a change, the model gets both values, which are not the
// user's words.
func TestAChangeAsksAModelWithBothValues(t *testing.T) {
	home := t.TempDir()
	s := serviceAt(home, saturday)
	path := filepath.Join(home, "asked")
	_ = os.WriteFile(path, []byte("old"), 0o600)
	entry := plan(t, s, Request{
		When: "2h", Prompt: "what is new", Dir: home, To: "file:" + filepath.Join(home, "result"),
		Watch: &schedules.Watch{Said: "x", Tool: "read_file", When: "changed"},
	})
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
	for range 2 {
		if run, err := s.Run(t.Context(), environ, counter{path: path}, entry.ID); err != nil || run.State != schedules.Unchanged {
			t.Fatal(run, err)
		}
	}
	_ = os.WriteFile(path, []byte("$(touch owned)"), 0o600)
	run, err := s.Run(t.Context(), environ, counter{path: path}, entry.ID)
	if err != nil || run.State != schedules.Changed || run.Error != "" {
		t.Fatal(run, err)
	}
	asked, _ := os.ReadFile(path)
	if text := string(asked); !strings.Contains(text, "what is new") || !strings.Contains(text, "Before:\nold\n\nNow:\n$(touch owned)") {
		t.Errorf("asked %q", text)
	}
	if result, _ := os.ReadFile(filepath.Join(home, "result")); !strings.Contains(string(result), "now: $(touch owned)") {
		t.Errorf("the result is %q", result)
	}
}

// If a process is killed before it has a report, the next process repeats the check. If it is
// killed later, the next process delivers the report, but does not run the command and the prompt.
func TestAKilledCheckLosesNoReportAndRepeatsNone(t *testing.T) {
	home := t.TempDir()
	s := serviceAt(home, saturday)
	result := filepath.Join(home, "result")
	entry := plan(t, s, Request{When: "2h", Prompt: "what is new", Dir: home, To: "file:" + result, Watch: &schedules.Watch{Said: "x", Tool: "read_file", When: "changed"}})
	killed := func(run schedules.Run) {
		t.Helper()
		if _, err := s.Store.Change(entry.ID, func(e *schedules.Entry) error { e.Runs = []schedules.Run{run}; return nil }); err != nil {
			t.Fatal(err)
		}
		if err := s.Fire(t.Context(), nil, counter{path: filepath.Join(home, "asked")}); err != nil {
			t.Error(err)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "asked"), []byte("seen"), 0o600); err != nil {
		t.Fatal(err)
	}
	killed(schedules.Run{Due: saturday, State: schedules.Running})
	if entry, _ := s.Store.Get(entry.ID); entry.Watch.Value == nil || len(entry.Runs) > 0 {
		t.Errorf("the check was not made again: %+v", entry)
	}
	killed(schedules.Run{Due: saturday, State: schedules.Running, Old: "a", New: "b", Text: "was: a\nnow: b"})
	entry, _ = s.Store.Get(entry.ID)
	text, _ := os.ReadFile(result)
	if asked, _ := os.ReadFile(filepath.Join(home, "asked")); string(asked) != "seen" || states(entry) != string(schedules.Interrupted) || strings.Count(string(text), "now: b") != 1 {
		t.Errorf("asked %q, %s, delivered %q", asked, states(entry), text)
	}
}
