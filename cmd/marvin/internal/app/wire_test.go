package app

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/clitest"
	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/providers"
)

// The limit on a model's silence must be a duration greater than zero.
func TestModelTimeoutSetting(t *testing.T) {
	for text, want := range map[string]string{
		"": "0s", "90s": "1m30s", "1ns": "1ns", "0": `! MARVIN_SILENCE_TIMEOUT="0" is not a duration such as 90s or 5m`,
		"-1s": `! MARVIN_SILENCE_TIMEOUT="-1s" is not a duration such as 90s or 5m`, "5": `! MARVIN_SILENCE_TIMEOUT="5" is not a duration such as 90s or 5m`,
	} {
		if got := clitest.ValueOrError(silenceLimit(clitest.NewWorld("", "", "MARVIN_SILENCE_TIMEOUT="+text))); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestConfigurationErrorIsReportedOnce(t *testing.T) {
	for _, row := range []struct {
		err  error
		want string
	}{
		{nil, "warning: a is wrong\nwarning: b is wrong\n"},
		{fmt.Errorf("no: a is wrong"), "warning: b is wrong\n"},
	} {
		var out strings.Builder
		p := &App{World: cli.World{Stderr: &out}}
		p.note(fmt.Errorf("a is wrong"))
		p.note(nil)
		p.note(fmt.Errorf("b is wrong"))
		if warn(p, row.err); out.String() != row.want {
			t.Errorf("with %v: %q", row.err, out.String())
		}
	}
}

func TestSessionStartOptions(t *testing.T) {
	opts := cli.Options{MaxCost: 1.5, MaxRounds: 7, MaxTime: time.Minute}
	p := &App{
		World: clitest.NewWorld("", ""), Opts: opts, Dir: "/work", Profile: "me", Selection: providers.Selection{Provider: "groq", Model: "m"},
		Settings: settings.Config{Approve: "ask", Effort: "high"},
	}
	limits := actors.Limits{Cost: 1.5, Rounds: 7, Time: time.Minute}
	want := actors.Conversation{Choice: actors.Choice{Provider: "groq", Model: "m"}, Effort: "high", Profile: "me", Policy: actors.Policy{Person: true, Persist: true, Approval: "ask", Limits: limits}}
	holds := func(what string, policy actors.Policy) {
		t.Helper()
		if got := p.Conversation(policy, nil); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	holds("a talk", p.Personal())
	p.Opts.Left.Coding, p.Opts.Left.Info.ID = true, "id"
	want.Dir, want.Policy.Coding = "/work", true
	holds("a coding one that goes on", p.Personal())
	p.Opts.Left.Coding, p.Opts.Left.Info.ID, p.Opts.WorkingDir = false, "", "."
	holds("a coding one", p.Personal())
	p.Opts.WorkingDir, p.Selection.Provider = "", providers.Offline
	want.Choice.Provider = providers.Offline
	holds("without a model", p.Personal())
	want.Policy, want.Dir = actors.Policy{Limits: limits}, ""
	holds("of nobody", actors.Policy{})
	p.Opts.Approve, want.Policy.Approval = "plan", messages.ApprovePlan
	holds("of nobody with an option", actors.Policy{})
	p.ReadOnly, want.Policy.ReadOnly = true, true
	holds("without writing", actors.Policy{})
	p.ReadOnly = false
	holds("without writing by its policy", actors.Policy{ReadOnly: true})
	p.ReadOnly = true
	for _, named := range []func(*App){func(p *App) { p.Opts.Provider = "x" }, func(p *App) { p.Opts.Model = "x" }, func(p *App) { p.Keeping.Named = true }} {
		opts, keeping := p.Opts, p.Keeping
		named(p)
		want.Named = true
		holds("named", actors.Policy{})
		p.Opts, p.Keeping, want.Named = opts, keeping, false
	}
	p.Opts.Effort, p.Keeping.Effort, want.Effort = "low", "medium", "low"
	holds("with an effort", actors.Policy{})
	p.Opts.Effort, want.Effort = "", "medium"
	holds("with one of the project", actors.Policy{})
	p.Keeping.Effort, want.Effort = accounts.AutoEffort, ""
	holds("with none of the project", actors.Policy{})
	p.World.Environ, want.Policy.FromOtherMarvin = []string{"MARVIN_DEPTH=1"}, true
	holds("of another Marvin", actors.Policy{})
}
