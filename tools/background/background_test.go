package background

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

const cost = `MARVIN_COST:{"session_cost":0.5,"llm_turns":2,"model_turns":{"m":2},"model_cost":{"m":0.5}}` + "\n"

func TestTheTruthOfAReviewIsInWhatItWrote(t *testing.T) {
	for name, c := range map[string]struct {
		stdout, stderr string
		state          tools.JobState
		note, result   string
		rounds         int
	}{
		"completed":            {"  🔧 tree, read_file\nI look.\n  🔧 read_file\nAll well.\n", "💻 ollama, m\n" + cost, tools.JobCompleted, "", "All well.", 2},
		"without a tool":       {"All well.\n", cost, tools.JobCompleted, "", "All well.", 0},
		"failed":               {"  🔧 tree\nHalf a", "Error: no credit\n" + cost, tools.JobFailed, "no credit", "Half a", 1},
		"failed at the start":  {"", "Error: no model\n" + cost, tools.JobFailed, "no model", "", 0},
		"killed":               {"  🔧 tree\n", "💻 ollama, m\n", tools.JobDead, "its process has ended without a result", "", 1},
		"killed at once":       {"", "", tools.JobDead, "its process has ended without a result", "", 0},
		"it talks of its cost": {"MARVIN_COST:{}\n", "warning: MARVIN_COST:\n", tools.JobDead, "its process has ended without a result", "MARVIN_COST:{}", 0},
		"a broken cost line":   {"fine\n", "MARVIN_COST:{\"session", tools.JobDead, "its process has ended without a result", "fine", 0},
		"a hostile error":      {"", "Error: \x1b[2Jgone\n" + cost, tools.JobFailed, "‹U+001B›[2Jgone", "", 0},
		"a wrench in a line":   {"see   🔧 here\nfine\n", cost, tools.JobCompleted, "", "see   🔧 here\nfine", 0},
		"not UTF-8":            {"caf\xe9\n", cost, tools.JobCompleted, "", "caf\uFFFD", 0},
	} {
		files := joblist.New(persistence.Open(t.TempDir(), time.Now), t.TempDir())
		id, stdout, stderr, err := files.Create("review")
		if err != nil {
			t.Fatal(err)
		}
		_, first := stdout.WriteString(c.stdout)
		_, second := stderr.WriteString(c.stderr)
		if err := errors.Join(first, second, stdout.Close(), stderr.Close()); err != nil {
			t.Fatal(err)
		}
		said := ReviewAccount(files, id)
		if said.State != c.state || said.Note != c.note || said.Result != c.result || said.Rounds != c.rounds {
			t.Errorf("%s: %+v", name, said)
		}
		if strings.HasSuffix(c.stderr, cost) && (said.Usage.Cost != 0.5 || said.Usage.Turns != 2 || said.Usage.ModelTurns["m"] != 2) {
			t.Errorf("%s: it cost %+v", name, said.Usage)
		}
	}
}

func TestTheLastLinesAreAsATerminalLeavesThem(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		"a\nb\nc\n":             "a\nb\nc\n",
		"a\nb\nc\nd\n":          "[…]\nb\nc\nd\n",
		"1%\r50%\r100%\ndone":   "100%\ndone\n",
		"a\r\nb\r\n":            "a\nb\n",
		"a\x00b":                "[binary output, not shown; to look into it, use \"file\" or \"strings\"]\n",
		"caf\xe9\n":             "caf\uFFFD\n",
		"half a line, no break": "half a line, no break\n",
	} {
		if got := LastLines(text, 3, false); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := LastLines("alf\nwhole\n", 3, true); got != "[…]\nwhole\n" {
		t.Errorf("of a longer one: %q", got)
	}
}

func TestAJobThatCannotBeginLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	home := persistence.Open(t.TempDir(), time.Now)
	if _, err := Start(home, tools.JobWish{Kind: tools.JobReview, Program: "/nowhere/marvin", Dir: dir}); err == nil {
		t.Fatal("it began")
	}
	logs, err := filepath.Glob(filepath.Join(dir, ".marvin/*/*-*"))
	if err != nil || len(logs) != 0 {
		t.Errorf("it left %v, %v", logs, err)
	}
	write(t, filepath.Join(dir, "file"), "")
	if _, err := Start(home, tools.JobWish{Kind: tools.JobCommand, Shell: "true", Dir: filepath.Join(dir, "file")}); err == nil {
		t.Error("it began in a file")
	}
}
