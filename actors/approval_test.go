package actors_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/plan"
	"marvin/tools/shell"
)

// jot is a tool that writes and asks no question itself.
func jot() tools.Tool {
	return tools.New(tools.Def[noArgs]{
		Name: "jot", Doc: "Writes something down.", Effect: tools.Writes,
		Run: func(context.Context, tools.Env, noArgs) (tools.Output, error) {
			return tools.Output{Text: "jotted"}, nil
		},
	})
}

// jotting is a model that calls jot once for each letter of the prompt, one call per round.
func jotting(request modeltest.Request) modeltest.Step {
	done := 0
	for _, message := range request.Messages {
		if message.Role == messages.Tool {
			done++
		}
	}
	if done < len(prompted(request)) {
		return modeltest.Calls(modeltest.Call{Name: "jot"})
	}
	return modeltest.Text(request.Last().Result.Text)
}

// A mode that changes during a turn applies to later calls of the turn.
func TestTheApprovalModeIsThatOfTheMoment(t *testing.T) {
	tree := actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, jotting), Tools: []tools.Tool{jot()}, Policy: &actors.Policy{Person: true, Approval: messages.ApproveAsk},
	})
	tree.Client.Send(messages.Say("xxx"))
	first := actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.SetApproval{Mode: messages.ApproveEdits})
	if now := actorstest.ReadUntil[messages.ModeChanged](tree); now.Approval != messages.ApproveEdits {
		t.Errorf("%+v", now)
	}
	tree.Client.Send(messages.Answer{Ask: first.Ask, Choice: messages.Yes})
	turn := tree.Finish()
	if asked := actorstest.TurnEvents[messages.Asked](turn); len(asked) != 0 || !strings.HasPrefix(turn.Ended.Text, "jotted") {
		t.Errorf("asked %+v; %s", asked, turn.Ended.Text)
	}
	tree.Client.Send(messages.SetApproval{Mode: messages.ApprovePlan})
	turn = tree.Prompt("xxxx")
	if ended := actorstest.TurnEvents[messages.ToolEnded](turn); len(ended) != 1 || ended[0].Status != messages.Forbidden || !strings.Contains(turn.Ended.Text, "end your answer with the plan") {
		t.Errorf("%+v; %s", ended, turn.Ended.Text)
	}
}

// Sub-agents always have the approval mode of their caller.
func TestSubAgentsAreInTheModeOfTheirCaller(t *testing.T) {
	tree := actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, delegating(jotting)), Tools: []tools.Tool{jot(), delegate(1, 1, nil)},
		Policy: &actors.Policy{Coding: true, Person: true, Approval: messages.ApproveAsk},
	})
	tree.Client.Send(messages.Say("go"))
	first := actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.SetApproval{Mode: messages.ApprovePlan})
	actorstest.ReadUntil[messages.ModeChanged](tree)
	tree.Client.Send(messages.Answer{Ask: first.Ask, Choice: messages.Yes})
	if turn := tree.Finish(); !strings.Contains(turn.Ended.Text, "not allowed while the user wants a plan") {
		t.Errorf("the second call of a sub-agent: %s", turn.Ended.Text)
	}
}

func TestAllRunsWithoutASandboxToo(t *testing.T) {
	for _, one := range []struct {
		approval messages.Approval
		sandbox  tools.SandboxMode
		want     string
	}{
		{messages.ApproveAuto, tools.SandboxAuto, "was not run"},
		{messages.ApproveAll, tools.SandboxAuto, "ran"},
		{messages.ApproveAll, tools.SandboxWorkspace, "was not run"},
		{messages.ApproveAll, tools.SandboxOff, "ran"},
	} {
		dir := unholdable(t)
		tree := actorstest.Start(t, actorstest.Setup{
			Server: modeltest.StartFunc(t, commanding), Tools: shell.Tools(), Dir: dir, Policy: &actors.Policy{Coding: true, Approval: one.approval},
			Sandbox: tools.NewSandbox(tools.SandboxConfig{Mode: one.sandbox, Home: filepath.Join(dir, "home"), Environ: os.Environ()}),
		})
		turn := tree.Prompt("echo ran")
		if started := actorstest.TurnEvents[messages.ToolStarted](turn); !strings.Contains(turn.Ended.Text, one.want) || len(started) != 1 {
			t.Errorf("%s, sandbox %q: %s, started %d times", one.approval, one.sandbox, turn.Ended.Text, len(started))
		}
	}
}

func TestApprovalAllIsProminentInTheAuditLog(t *testing.T) {
	log := filepath.Join(t.TempDir(), "audit")
	for _, approval := range []messages.Approval{messages.ApproveAuto, messages.ApproveAll} {
		tree := actorstest.Start(t, actorstest.Setup{
			Server: modeltest.StartFunc(t, commanding), Tools: shell.Tools(), Dir: t.TempDir(), Config: func(config *actors.Config) { config.Audit.Path = log },
			Policy: &actors.Policy{Coding: true, Approval: approval}, Sandbox: tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxOff}),
		})
		said, unasked := tree.Prompt("git reset --hard").Ended.Text, approval == messages.ApproveAll
		if strings.Contains(said, "not a git repository") != unasked {
			t.Errorf("%s: %s", approval, said)
		}
		if err := tree.System.Stop(); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(content), `"tool": "_approve", "args": {"mode": "all", "sandbox": "off"}`) != unasked {
			t.Errorf("%s: the log says %s", approval, content)
		}
	}
}

func TestApprovalAllIsLoggedOnce(t *testing.T) {
	log := filepath.Join(t.TempDir(), "audit")
	tree := actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, commanding), Tools: shell.Tools(), Dir: t.TempDir(), Config: func(config *actors.Config) { config.Audit.Path = log },
		Policy: &actors.Policy{Coding: true, Person: true, Approval: messages.ApproveAsk}, Sandbox: tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxOff}),
	})
	for _, mode := range []messages.Approval{messages.ApproveAsk, messages.ApproveAll, messages.ApproveAll, messages.ApproveEdits, messages.ApproveAll} {
		tree.Client.Send(messages.SetApproval{Mode: mode})
		if told := actorstest.ReadUntil[messages.ModeChanged](tree); told.Approval != mode {
			t.Errorf("%s is told as %s", mode, told.Approval)
		}
	}
	if err := tree.System.Stop(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(log)
	if noted := strings.Count(string(content), `"tool": "_approve"`); err != nil || noted != 2 {
		t.Errorf("noted %d times: %s, %v", noted, content, err)
	}
}

// If plan mode begins during a turn, the model can propose a plan in the same turn.
func TestAPlanCanBeProposedInTheTurnInWhichItIsWanted(t *testing.T) {
	server := modeltest.StartFunc(t, jotting)
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Tools: append(plan.Tools(), jot()), Policy: &actors.Policy{Coding: true, Person: true, Approval: messages.ApproveAsk},
	})
	tree.Client.Send(messages.Say("x"))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.SetApproval{Mode: messages.ApprovePlan})
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
	tree.Finish()
	for i, request := range server.Requests() {
		offered := slices.ContainsFunc(request.Tools, func(tool modeltest.Tool) bool { return tool.Name == "propose_plan" })
		if offered != (i > 0) {
			t.Errorf("request %d offers it: %t", i+1, offered)
		}
	}
	if len(server.Requests()) != 2 {
		t.Errorf("%d requests", len(server.Requests()))
	}
}

func TestUserWaitDoesNotCountForTurn(t *testing.T) {
	virtually(t, func(t *testing.T) {
		hangs := false
		server, client := modeltest.StartPipe(t, func(request modeltest.Request) modeltest.Step {
			switch {
			case request.Last().Role != messages.Tool:
				return modeltest.Calls(modeltest.Call{Name: "jot"})
			case hangs:
				return modeltest.Hang()
			}
			return modeltest.Text("done")
		})
		tree := actorstest.Start(t, actorstest.Setup{
			Server: server, HTTP: client, Tools: []tools.Tool{jot()}, Wait: 24 * time.Hour,
			Policy: &actors.Policy{Person: true, Approval: messages.ApproveAsk, Limits: actors.Limits{Time: time.Minute}},
		})
		for _, hangs = range []bool{false, true} {
			begun := time.Now()
			tree.Client.Send(messages.Say("go"))
			asked := actorstest.ReadUntil[messages.Asked](tree)
			time.Sleep(time.Hour)
			tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
			ended, took := tree.Finish().Ended, time.Since(begun)
			if !hangs && ended.Outcome != messages.Completed {
				t.Errorf("behind an hour of the person's: %+v", ended)
			}
			if hangs && (ended.Outcome != messages.Incomplete || ended.Err != "the time limit of 1m0s has been reached" || took < time.Hour+time.Minute || took > time.Hour+2*time.Minute) {
				t.Errorf("after %s: %+v", took, ended)
			}
		}
	})
}
