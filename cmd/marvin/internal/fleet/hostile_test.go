package fleet

import (
	"context"
	"strings"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/fleet/fleettest"
	"marvin/messages"
)

// A sender can write anything into the queue. A worker checks limits and prompts itself, and
// answers the bad ones with an error instead of asking a model.
func TestAWorkerChecksWhatASenderWrote(t *testing.T) {
	t.Parallel()
	f := opened(t, fleettest.Start(t), "hostile", func(string) {})
	works(t, &Worker{Fleet: f, About: Announcement{Worker: "w1", Protocol: Protocol, Jobs: 1, Git: true, Roles: []string{"r"}}, Say: hears(), Answer: func(_ context.Context, ask Ask) batch.Result {
		if ask.Prompt.ID != "good" {
			t.Errorf("a model would be asked: %+v", ask)
		}
		return batch.Result{Outcome: messages.Completed}
	}})
	for id, test := range map[string]struct {
		limits Limits
		spoil  func(*batch.Prompt)
		want   string
	}{
		"rounds":   {Limits{Rounds: -1}, nil, "-1 is not a valid number of rounds"},
		"time":     {Limits{Time: -time.Second}, nil, "-1s is not a valid time limit"},
		"commit":   {Limits{}, func(p *batch.Prompt) { p.Git, p.Commit = "https://h/x", "HEAD" }, "is not a full commit hash"},
		"git":      {Limits{}, func(p *batch.Prompt) { p.Git = "https://h/x" }, `give "git"`},
		"both":     {Limits{}, func(p *batch.Prompt) { p.Git, p.Commit, p.Dir = "https://h/x", strings.Repeat("a", 40), "x" }, `give either "git" or "working_dir"`},
		"no words": {Limits{}, func(p *batch.Prompt) { p.Text = " " }, `"prompt" is missing`},
		"good":     {Limits{Rounds: 3}, nil, ""},
	} {
		s, err := f.Sender(t.Context(), "b-"+strings.ReplaceAll(id, " ", ""), Begin{Limits: test.limits}, time.Now)
		if err != nil {
			t.Fatal(err)
		}
		prompt := asked(id, "x")
		if test.spoil != nil {
			test.spoil(&prompt)
		}
		send(t, s, prompt, false)
		result := collected(t, s, 1)[id]
		if failed := result.Outcome == messages.Failed; failed != (test.want != "") || !strings.Contains(result.Error, test.want) {
			t.Errorf("%s: %s %q", id, result.Outcome, result.Error)
		}
		s.Close()
	}
}
