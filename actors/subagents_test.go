package actors_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/chat"
	"marvin/persistence/spending"
	"marvin/providers/modeltest"
	"marvin/tools"
)

// delegate is a tool that gives n tasks to sub-agents: "task 1" and so on.
func delegate(n, parallel int, change func(*tools.Task)) tools.Tool {
	return tools.New(tools.Def[noArgs]{
		Name: "delegate", Doc: "delegate", Pool: tools.Agent, Needs: tools.Needs{TopOnly: true}, Timeout: time.Minute,
		Run: func(ctx context.Context, env tools.Env, _ noArgs) (tools.Output, error) {
			tasks := make([]tools.Task, n)
			for i := range tasks {
				tasks[i] = tools.Task{Name: fmt.Sprint("agent ", i+1), Prompt: fmt.Sprint("task ", i+1)}
				if change != nil {
					change(&tasks[i])
				}
			}
			var text strings.Builder
			for _, report := range env.Agents(ctx, parallel, tasks) {
				fmt.Fprintf(&text, "%s|%s|%s\n", report.Outcome, report.Text, report.Err)
			}
			return tools.Output{Text: text.String()}, context.Cause(ctx)
		},
	})
}

// prompted returns the prompt with which a request's turn began.
func prompted(request modeltest.Request) string {
	for _, message := range slices.Backward(request.Messages) {
		if message.Role == messages.User {
			return message.Text
		}
	}
	return ""
}

// delegating answers "go" by delegating, and then repeats the reports; sub-agents get the result of
// answer.
func delegating(answer func(modeltest.Request) modeltest.Step) func(modeltest.Request) modeltest.Step {
	return func(request modeltest.Request) modeltest.Step {
		switch {
		case prompted(request) != "go":
			return answer(request)
		case request.Last().Role == messages.Tool:
			return modeltest.Text(request.Last().Result.Text)
		}
		return modeltest.Calls(modeltest.Call{Name: "delegate"})
	}
}

func echo(request modeltest.Request) modeltest.Step {
	return modeltest.Text("done with " + prompted(request))
}

func TestSubAgentsReportInTheOrderOfTheCall(t *testing.T) {
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text("done with " + prompted(request) + ", " + request.Last().Result.Text)
		}
		return modeltest.Calls(modeltest.Call{Name: "say", Args: sayArgs{Text: "seen"}})
	}))
	home := t.TempDir()
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Tools: []tools.Tool{delegate(20, 7, nil), say()}})
	turn := tree.Prompt("go")
	var want strings.Builder
	for i := range 20 {
		fmt.Fprintf(&want, "completed|done with task %d, seen|\n", i+1)
	}
	if turn.Ended.Text != want.String() {
		t.Errorf("got\n%s", turn.Ended.Text)
	}
	// The caller pays for 2 requests of its own and 2 of each sub-agent, here and in usage.json.
	if turn.Ended.Usage.Turns != 42 || turn.Ended.Usage.ToolCalls["say"] != 20 || turn.Ended.Usage.ToolCalls["delegate"] != 1 {
		t.Errorf("usage %+v", turn.Ended.Usage)
	}
	last := map[int]messages.AgentChanged{}
	for _, change := range actorstest.TurnEvents[messages.AgentChanged](turn) {
		last[change.Agent] = change
	}
	for i := 1; i <= 20; i++ {
		if one := last[i]; one.State != messages.AgentEnded || one.Rounds != 1 || one.Tokens == 0 || one.Cost == 0 || one.Name != fmt.Sprint("agent ", i) {
			t.Errorf("agent %d was last seen as %+v", i, one)
		}
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) { // written while the turn runs
		lifetime, err := spending.Of(persistence.Open(home, time.Now)).Usage()
		if err == nil && lifetime.Turns == 42 && lifetime.Calls["say"] == 20 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("usage.json has %+v, %v", lifetime, err)
		}
	}
	if entries, err := chat.New(persistence.Open(home, time.Now).Profile("default")).Tail(10); err != nil || len(entries) != 0 {
		t.Errorf("sub-agents left %v, %v in the chat log", entries, err)
	}
}

func TestSubAgentsQuestionRisesToUser(t *testing.T) {
	careful := tools.New(tools.Def[sayArgs]{
		Name: "careful", Doc: "Asks first.",
		Confirm: func(_ tools.Env, in sayArgs) (string, string) { return "Do it?", in.Text },
		Run:     sayFunc(func(in sayArgs) string { return "did " + in.Text }),
	})
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text(request.Last().Result.Text)
		}
		return modeltest.Calls(modeltest.Call{Name: "careful", Args: sayArgs{Text: prompted(request)}})
	}))
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Tools: []tools.Tool{delegate(2, 1, nil), careful}, Policy: &actors.Policy{Coding: true, Person: true},
	})
	tree.Client.Send(messages.Say("go"))
	for i, choice := range []messages.Choice{messages.Yes, messages.No} {
		asked := actorstest.ReadUntil[messages.Asked](tree)
		if want := fmt.Sprintf("Do it? (sub-agent agent %d)", i+1); asked.Title != want || asked.Detail != fmt.Sprint("task ", i+1) {
			t.Errorf("asked %+v, want the title %q", asked, want)
		}
		tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: choice})
	}
	turn := tree.Finish()
	if lines := strings.Split(turn.Ended.Text, "\n"); lines[0] != "completed|did task 1|" || !strings.Contains(lines[1], "the user said no") {
		t.Errorf("got %q", turn.Ended.Text)
	}
}

func TestUnattendedSubAgentDoesNotAsk(t *testing.T) {
	careful := tools.New(tools.Def[noArgs]{
		Name: "careful", Doc: "Asks first.",
		Confirm: func(tools.Env, noArgs) (string, string) { return "Do it?", "now" },
		Run: func(context.Context, tools.Env, noArgs) (tools.Output, error) {
			return tools.Output{Text: "did it"}, nil
		},
	})
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text(request.Last().Result.Text)
		}
		return modeltest.Calls(modeltest.Call{Name: "careful"})
	}))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{delegate(1, 1, nil), careful}})
	if turn := tree.Prompt("go"); turn.Ended.Text != "completed|did it|\n" {
		t.Errorf("got %q", turn.Ended.Text)
	}
}

func TestASubAgentHasNoMoreThanItsCaller(t *testing.T) {
	writes := tools.New(tools.Def[noArgs]{Name: "writes", Doc: "Writes.", Effect: tools.Writes, Run: func(context.Context, tools.Env, noArgs) (tools.Output, error) {
		return tools.Output{Text: "written"}, nil
	}})
	for name, test := range map[string]struct {
		policy actors.Policy
		change func(*tools.Task)
		has    string
	}{
		"all but what is the caller's own": {actors.Policy{Coding: true}, nil, "say writes"},
		"what it was given":                {actors.Policy{Coding: true}, func(task *tools.Task) { task.Tools = []string{"say", "delegate", "unknown"} }, "say"},
		"nothing at all":                   {actors.Policy{Coding: true}, func(task *tools.Task) { task.Tools = []string{} }, ""},
		"reading only":                     {actors.Policy{Coding: true}, func(task *tools.Task) { task.ReadOnly = true }, "say"},
		"as read-only as its caller":       {actors.Policy{Coding: true, ReadOnly: true}, nil, "say"},
	} {
		t.Run(name, func(t *testing.T) {
			var had string
			server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
				var names []string
				for _, tool := range request.Tools {
					names = append(names, tool.Name)
				}
				had = strings.Join(names, " ")
				return modeltest.Text("done")
			}))
			tree := actorstest.Start(t, actorstest.Setup{Server: server, Policy: &test.policy, Tools: []tools.Tool{delegate(1, 1, test.change), say(), writes}})
			tree.Prompt("go")
			if had != test.has {
				t.Errorf("it has %q, want %q", had, test.has)
			}
		})
	}
}

func TestOneCostLimitBoundsTheWholeTree(t *testing.T) {
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		return modeltest.Calls(modeltest.Call{Name: "say", Args: sayArgs{Text: fmt.Sprint("again ", len(request.Messages))}})
	}))
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Tools: []tools.Tool{delegate(4, 4, nil), say()},
		Policy: &actors.Policy{Coding: true, Limits: actors.Limits{Cost: 0.01, Rounds: 400}},
	})
	turn := tree.Prompt("go")
	if turn.Ended.Outcome != messages.Incomplete || !strings.Contains(turn.Ended.Err, "cost limit") {
		t.Errorf("ended %+v", turn.Ended)
	}
	// Each sub-agent may have had one running request when the limit was reached.
	if cost := turn.Ended.Usage.Cost; cost < 0.01 || cost > 0.02 {
		t.Errorf("it cost $%g", cost)
	}
}

// One cancel ends all of them, and their text is kept.
func TestOneCancelEndsAllSubAgents(t *testing.T) {
	begun := make(chan string, 100)
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		begun <- prompted(request)
		return modeltest.Text("half of ", prompted(request)).Append(modeltest.Hang())
	}))
	// No timer must end them, only the cancel.
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{delegate(40, 30, nil)}, Tuning: actors.Tuning{CancelGrace: time.Hour}})
	tree.Client.Send(messages.Say("go"))
	visit := messages.VisitAgent{Call: actorstest.ReadUntil[messages.ToolStarted](tree).Call, More: true}
	for range 30 {
		if _, err := fmt.Sscanf(<-begun, "task %d", &visit.Agent); err != nil {
			t.Fatal(err)
		}
	}
	for said := ""; !strings.Contains(said, "half of task"); said = actorstest.ReadUntil[messages.AgentShown](tree).Text {
		tree.Client.Send(visit)
	}
	tree.Client.Send(messages.Cancel{})
	turn := tree.Finish()
	if turn.Ended.Outcome != messages.Cancelled {
		t.Errorf("%+v", turn.Ended)
	}
	ended := actorstest.TurnEvents[messages.ToolEnded](turn)
	if len(ended) != 1 || ended[0].Status != messages.Interrupted || strings.Count(ended[0].Text, "cancelled|") != 40 || !strings.Contains(ended[0].Text, "cancelled|half of task") || strings.Count(ended[0].Text, "not begun") != 10 {
		t.Errorf("the call ended with %+v", ended)
	}
}

func TestAPanickingSubAgentIsOneFailedReport(t *testing.T) {
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		if prompted(request) == "task 2" && request.Last().Role != messages.Tool {
			return modeltest.Calls(modeltest.Call{Name: "bomb"})
		}
		return echo(request)
	}))
	bomb := tool("bomb", func(context.Context, tools.Env) (tools.Output, error) { panic("boom") })
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{delegate(3, 3, nil), bomb}})
	turn := tree.Prompt("go")
	if turn.Ended.Outcome != messages.Completed || strings.Count(turn.Ended.Text, "completed|done with task") != 3 {
		t.Errorf("got %+v", turn.Ended)
	}
}

// A process with few files runs few sub-agents at once, and tells the user.
func TestFewFilesMeanFewSubAgentsAtOnce(t *testing.T) {
	var now, most atomic.Int64
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		time.Sleep(time.Millisecond) // a model takes some time
		return echo(request)
	}))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{delegate(30, 30, nil)}, Config: func(config *actors.Config) { config.Files = 100 }})
	turn := tree.Prompt("go")
	if strings.Count(turn.Ended.Text, "completed|done with task") != 30 || most.Load() > 2 {
		t.Errorf("%d at once; %s", most.Load(), turn.Ended.Text)
	}
	if said := actorstest.TurnEvents[messages.ToolOutput](turn); len(said) != 1 || !strings.Contains(said[0].Chunk, "2 sub-agents run at once") || !strings.Contains(said[0].Chunk, "ulimit -n") {
		t.Errorf("said %v", said)
	}
}
