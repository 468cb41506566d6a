package jobs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/goldentest"
	"marvin/persistence/joblist"
	"marvin/tools"
)

func TestAReviewInWords(t *testing.T) {
	var out strings.Builder
	for _, focus := range []string{"", "all", "backend", "frontend", "tests", "*.go", "a\x00b"} {
		fmt.Fprintf(&out, "scope %q: %s\n", focus, scope(focus))
	}
	fmt.Fprintf(&out, "# all\n%s\n# some\n%s\n", assignment(reviewArgs{Focus: "all", Rounds: 4}, project{files: 3}),
		assignment(reviewArgs{Focus: "*.go", Rounds: 1, Context: "the \x00parser\xff", Ticket: "t-1\x00", RefDir: "ref"}, project{files: 1, references: 2}))
	root := t.TempDir()
	for name, text := range map[string]string{
		"a.go": "", "b.py": "", "src/c.go": "", "src/deep/d.go": "", "ref/e.go": "", "reference/f.go": "", ".hidden/g.go": "", "node_modules/h.go": "", "vendor/i.go": "", ".git/HEAD": "ref: refs/heads/mend/it\n", "src/.env": "",
	} {
		write(t, filepath.Join(root, name), text)
	}
	if err := os.Symlink("a.go", filepath.Join(root, "link.go")); err != nil {
		t.Fatal(err)
	}
	for _, row := range [][2]string{{"all", "ref"}, {"", "none"}, {"tests", "."}, {"*.go", "ref"}, {"src/*.go", "ref/"}, {"src/**/*.go", "./ref"}, {"[", "ref"}, {"*.none", "ref"}} {
		found, err := survey(t.Context(), root, row[0], row[1])
		fmt.Fprintf(&out, "focus %q, references %q: %+v %v\n", row[0], row[1], found, err)
	}
	write(t, filepath.Join(root, ".git/HEAD"), "6dcb09b5b57875f334f61aebed695e2e4193db5e\n")
	found, err := survey(t.Context(), root, "all", "ref")
	fmt.Fprintf(&out, "detached: %+v %v\n", found, err)
	home := persistence.Open(t.TempDir(), time.Now)
	service := New(home, "/bin/marvin")
	for _, row := range []struct{ provider, model, variable string }{{}, {"ollama", "qwen", ""}, {"copilot", "gpt", ""}, {"copilot", "gpt", "mine"}, {"", "m", "mine"}, {"claude", "", ""}} {
		env := tools.Env{Conversation: tools.Conversation{Provider: row.provider, Model: row.model}}
		if row.variable != "" {
			env.Environ = []string{"MARVIN_CODE_MODEL_HIGH=" + row.variable}
		}
		fmt.Fprintf(&out, "reviewer of %+v: %q\n", row, service.reviewer(env))
	}
	now := time.Unix(1_700_000_090, 0)
	env := tools.Env{Now: func() time.Time { return now }, Dir: root}
	files := joblist.New(home, root)
	const cost = `MARVIN_COST:{"session_cost":0.5,"llm_turns":2,"model_turns":{"m":2},"model_cost":{"m":0.5}}` + "\n"
	for _, row := range []struct {
		stdout, stderr string
		state          tools.JobState
		result         string
	}{
		{"", "", tools.JobRunning, ""},
		{"  🔧 tree\n", "", tools.JobRunning, ""},
		{"  🔧 tree\nIt is\nso far fine", "", tools.JobRunning, ""},
		{"  🔧 tree\n  🔧 read_file\nAll well.\n", cost, tools.JobCompleted, ""},
		{"", "", tools.JobDead, ""},
		{"", "", tools.JobDead, "of another Marvin"},
		{"", "Error: no credit\n" + cost, tools.JobFailed, ""},
	} {
		id, stdout, stderr, err := files.Create("review")
		_, first := stdout.WriteString(row.stdout)
		_, second := stderr.WriteString(row.stderr)
		stored := joblist.Job{ID: id, Type: string(tools.JobReview), Status: string(row.state), Dir: root}
		if row.result != "" {
			stored.Result = &row.result
		}
		if err := errors.Join(err, first, second, stdout.Close(), stderr.Close(), files.Add(stored)); err != nil {
			t.Fatal(err)
		}
		job := tools.Job{ID: id, Kind: tools.JobReview, Title: "review of x", Dir: root, PID: 7, State: row.state, Started: now.Add(-90 * time.Second), Log: files.LogPath(id)}
		if !job.Running() {
			job.Ended = now.Add(-30 * time.Second)
		}
		fmt.Fprintf(&out, "# %s %q %q\n%s", row.state, row.stdout, row.stderr, strings.ReplaceAll(service.reviewReport(env, job), id, "ID"))
		fmt.Fprintf(&out, "- as any job:\n%s", strings.ReplaceAll(service.report(env, job, jobsArgs{Lines: 2}), id, "ID"))
	}
	for _, dir := range []string{root, "", "/elsewhere"} {
		for _, state := range []tools.JobState{tools.JobRunning, tools.JobCompleted} {
			fmt.Fprintf(&out, "all of it, seen from %q: %s", strings.ReplaceAll(dir, root, "ROOT"), strings.ReplaceAll(service.outputNote(tools.Env{Dir: dir}, tools.Job{Log: root + "/.marvin/logs/x.log", State: state}, 42), root, "ROOT"))
		}
	}
	goldentest.Assert(t, "words.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
