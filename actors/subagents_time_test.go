package actors_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
)

// hangs never answers the second of four tasks.
func hangs(request modeltest.Request) modeltest.Step {
	if prompted(request) == "task 2" {
		return modeltest.Text("so far").Append(modeltest.Hang())
	}
	return echo(request)
}

func TestASubAgentThatHangsDoesNotKeepTheReportsOfOthers(t *testing.T) {
	server := modeltest.StartFunc(t, delegating(hangs))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{delegate(4, 4, nil)}, Config: func(config *actors.Config) { config.AgentTime = time.Second }})
	text := tree.Prompt("go").Ended.Text
	for _, want := range []string{"completed|done with task 1|", "failed|so far|timed out after 1s", "completed|done with task 3|", "completed|done with task 4|"} {
		if !strings.Contains(text, want) {
			t.Errorf("the reports lack %q:\n%s", want, text)
		}
	}
}

func TestATurnWithATimeLimitStillReportsOnFinishedSubAgents(t *testing.T) {
	server := modeltest.StartFunc(t, delegating(hangs))
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Tools: []tools.Tool{delegate(4, 4, nil)},
		Policy: &actors.Policy{Limits: actors.Limits{Time: 5 * time.Second}},
	})
	ended := tree.Prompt("go").Ended
	if ended.Outcome != messages.Completed || strings.Count(ended.Text, "completed|done with") != 3 {
		t.Errorf("%s: %s", ended.Outcome, ended.Text)
	}
}

// blocking is a tool whose calls run until release is closed.
func blocking(name string, pool tools.Pool, access tools.Access, begun chan<- string, release <-chan struct{}) tools.Tool {
	return tools.New(tools.Def[noArgs]{
		Name: name, Doc: name, Pool: pool, Access: access, Timeout: time.Minute,
		Run: func(ctx context.Context, _ tools.Env, _ noArgs) (tools.Output, error) {
			begun <- name
			select {
			case <-release:
			case <-ctx.Done():
			}
			return tools.Output{Text: "done"}, context.Cause(ctx)
		},
	})
}

func TestCommandsThatWaitHoldUpNeitherCommandsNorSearches(t *testing.T) {
	const waiting = 24
	begun, release := make(chan string, waiting+2), make(chan struct{})
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		name := map[string]string{"task 25": "search", "task 26": "lookup"}[prompted(request)]
		if name == "" {
			name = "command"
		}
		if request.Last().Role == messages.Tool {
			return modeltest.Text("done")
		}
		return modeltest.Calls(modeltest.Call{Name: name})
	}))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{
		delegate(waiting+2, waiting+2, nil),
		blocking("command", tools.Command, tools.Shared, begun, release),
		blocking("search", tools.Proc, tools.Shared, begun, release),
		blocking("lookup", tools.Net, tools.Free, begun, release),
	}})
	var ended sync.WaitGroup
	ended.Go(func() {
		for range waiting + 2 { // this ends only if all run at once
			<-begun
		}
		close(release)
	})
	tree.Prompt("go")
	ended.Wait()
}

func TestACallWithoutADirectoryDoesNotWaitForWriters(t *testing.T) {
	begun, release, commandRuns := make(chan string, 3), make(chan struct{}), make(chan struct{})
	server := modeltest.StartFunc(t, delegating(func(request modeltest.Request) modeltest.Step {
		if request.Last().Role == messages.Tool {
			return modeltest.Text("done")
		}
		if prompted(request) == "task 2" {
			<-commandRuns // makes the writer wait for the command
		}
		return modeltest.Calls(modeltest.Call{Name: map[string]string{"task 1": "command", "task 2": "write", "task 3": "lookup"}[prompted(request)]})
	}))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: []tools.Tool{
		delegate(3, 3, nil),
		blocking("command", tools.Command, tools.Shared, begun, release),
		blocking("write", tools.Local, tools.Exclusive, begun, release),
		blocking("lookup", tools.Net, tools.Free, begun, release),
	}})
	var ended sync.WaitGroup
	ended.Go(func() {
		defer close(release)
		for range 2 { // the command and the lookup; the writer begins after the command
			if name := <-begun; name == "command" {
				close(commandRuns)
			} else if name == "write" {
				t.Error("the writer runs beside the command")
			}
		}
	})
	tree.Prompt("go")
	ended.Wait()
}
