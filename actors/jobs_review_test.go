package actors_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/persistence/spending"
	"marvin/providers/modeltest"
	"marvin/tools"
)

// reviewing is a tool that starts a review, which the test's script performs.
func reviewing(script string) tools.Tool { return limited(script, 0) }

func limited(script string, limit time.Duration) tools.Tool {
	return tools.New(tools.Def[noArgs]{Name: "review", Doc: "review", Run: func(ctx context.Context, env tools.Env, _ noArgs) (tools.Output, error) {
		job, err := env.Jobs.Start(ctx, tools.JobWish{
			Kind: tools.JobReview, Title: "review", Dir: env.Dir, Program: "/bin/sh", Args: []string{"-c", script}, Environ: env.Environ, Limit: limit,
		})
		return tools.Output{Text: fmt.Sprintf("%s (pid %d)", job.ID, job.PID)}, err
	}})
}

const reviewed = `until [ -e done ]; do sleep 0.01; done; printf '  🔧 tree\nlooking\n  🔧 read_file\nAll is well.\n'; ` +
	`echo 'MARVIN_COST:{"session_cost":0.25,"llm_turns":3,"model_turns":{"test-model":3},"model_cost":{"test-model":0.25}}' >&2`

func TestTheCostOfAReviewIsPaidOnceByTheSession(t *testing.T) {
	for _, during := range []bool{false, true} {
		o := atWork(t, actorstest.Setup{}, reviewing(reviewed))
		id := jobID.FindString(o.call(t, modeltest.Call{Name: "review"})[0])
		if err := os.WriteFile(filepath.Join(o.dir, "done"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		turns := 2 + 3
		if during {
			o.call(t, onJob("wait", id)) // by its id: it may have ended already
			turns += 2
		} else {
			actorstest.ReadUntil[messages.UsageChanged](o.Tree)
		}
		ended := o.Prompt("hello").Ended
		if turns++; ended.Usage.Turns != turns || ended.Usage.Cost < 0.25 || ended.Usage.Cost > 0.3 || ended.Usage.ModelTurns["test-model"] != turns {
			t.Errorf("during %v: the session paid %+v, want %d round trips", during, ended.Usage, turns)
		}
		if text := o.call(t, modeltest.Call{Name: "review_status"})[0]; !strings.Contains(text, id+"  completed after ") ||
			!strings.Contains(text, "2 rounds of tools") || !strings.Contains(text, "cost: $0.2500, 3 round trips") || !strings.HasSuffix(text, "\n\nAll is well.\n") {
			t.Errorf("during %v: %q", during, text)
		}
		if err := o.System.Stop(); err != nil {
			t.Fatal(err)
		}
		files := persistence.Open(o.home, time.Now)
		if usage, err := spending.Of(files).Usage(); err != nil || usage.Turns != turns+2-3 { // a real review adds its own
			t.Errorf("during %v: usage.json has %+v, %v", during, usage, err)
		}
		if file, err := joblist.New(files, o.dir).Get(id); err != nil || file.Status != "completed" || file.Round != 2 || file.Result == nil || *file.Result != "All is well." || !file.Told {
			t.Errorf("during %v: its file says %+v, %v", during, file, err)
		}
	}
}

func TestAReviewThatIsKilledFailed(t *testing.T) {
	o := atWork(t, actorstest.Setup{}, reviewing("sleep 300; sleep 300"))
	begun := o.call(t, modeltest.Call{Name: "review"})[0]
	if text := o.call(t, modeltest.Call{Name: "review_status"})[0]; !strings.Contains(text, "  running for ") || !strings.Contains(text, "phase: beginning") {
		t.Errorf("while it runs: %q", text)
	}
	if err := syscall.Kill(-pidOf(t, begun), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if notice := actorstest.ReadUntil[messages.Notice](o.Tree); !strings.Contains(notice.Text, " failed after ") || !strings.Contains(notice.Text, "ended by a signal: killed") {
		t.Errorf("people are told %+v", notice)
	}
	if text := o.call(t, modeltest.Call{Name: "review_status"})[0]; !strings.Contains(text, "  failed after ") {
		t.Errorf("afterwards: %q", text)
	}
}

func TestAReviewThatTakesTooLongIsEnded(t *testing.T) {
	o := atWork(t, actorstest.Setup{}, limited("sleep 300; sleep 300", 50*time.Millisecond))
	pid := pidOf(t, o.call(t, modeltest.Call{Name: "review"})[0])
	if notice := actorstest.ReadUntil[messages.Notice](o.Tree); !strings.Contains(notice.Text, " failed after ") || !strings.HasSuffix(notice.Text, "(stopped after 50ms)") || runs(pid) {
		t.Errorf("the user gets %+v, runs %v", notice, runs(pid))
	}
}
