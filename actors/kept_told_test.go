package actors_test

import (
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/providers/modeltest"
	"marvin/tools"
)

func TestWholeCommandIsReported(t *testing.T) {
	home, policy := t.TempDir(), &actors.Policy{Coding: true, Person: true}
	rules, err := tools.NewPermissions(nil, nil, []string{"run_command(false *)"})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("true && ", 20) + "echo at its end\necho \u202ebehind it"
	whole := strings.ReplaceAll(long, "\u202e", "‹U+202E›")
	before := atWork(t, actorstest.Setup{Home: home, Policy: policy, Keep: begins, Rules: rules})
	for _, command := range []string{"echo short", long, "false a; " + long} {
		before.call(t, modeltest.Call{Name: "run_command", Args: runArgs{Command: command}})
	}
	began, ended := actorstest.Pick[messages.ToolStarted](before.Seen), actorstest.Pick[messages.ToolEnded](before.Seen)
	if len(began) != 2 || began[0].Title != "run_command echo short" || began[0].Command != "" || began[1].Command != whole || !strings.HasSuffix(began[1].Title, "…") {
		t.Errorf("what began is shown as %+v", began)
	}
	if len(ended) != 3 || ended[1].Command != "" || ended[2].Status != messages.Forbidden || ended[2].Command != "false a; "+whole {
		t.Errorf("what ended is shown as %+v", ended)
	}
	if err := before.System.Stop(); err != nil {
		t.Fatal(err)
	}
	after := atWork(t, actorstest.Setup{Home: home, Policy: policy, Keep: goesOn(t)})
	actorstest.ReadUntil[messages.Resumed](after.Tree)
	for i, turn := range actorstest.Pick[messages.Recalled](after.Seen) {
		if want := []string{"", whole, "false a; " + whole}[i]; turn.Steps[0].Command != want {
			t.Errorf("what continues is shown as %+v", turn.Steps[0])
		}
	}
}

func TestResumedSessionShowsItsCost(t *testing.T) {
	home := t.TempDir()
	for run, keep := range []func(*persistence.Home) *actors.StoredSession{begins, goesOn(t)} {
		tree := actorstest.Start(t, actorstest.Setup{Server: modeltest.Start(t, modeltest.Text("yes")), Home: home, Policy: &actors.Policy{Person: true}, Keep: keep})
		if run == 1 {
			if told := actorstest.ReadUntil[messages.UsageChanged](tree); told.Usage.Turns != 1 || told.Usage.InputTokens == 0 {
				t.Errorf("it is reported to have cost %+v", told.Usage)
			}
		}
		tree.Prompt("go")
		if err := tree.System.Stop(); err != nil {
			t.Fatal(err)
		}
	}
}
