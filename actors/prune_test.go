package actors_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/files"
)

func TestOldResultsLeaveBeforeASummaryIsMade(t *testing.T) {
	number := 0
	logs := tools.New(tools.Def[struct{}]{Name: "logs", Doc: "Show the next log.", Needs: tools.Needs{Coding: true}, Core: true, Run: func(context.Context, tools.Env, struct{}) (tools.Output, error) {
		number++
		return tools.Output{Text: strings.Repeat(fmt.Sprintf("log %d says that all is well\n", number), 250)}, nil
	}})
	calls := make([]modeltest.Call, 12)
	for i := range calls {
		calls[i] = modeltest.Call{Name: "logs"}
	}
	calls[11] = modeltest.Call{Name: "read_file", Args: map[string]any{"path": "artifact:1"}}
	server := modeltest.StartFunc(t, then(calls...))
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Home: t.TempDir(), Dir: t.TempDir(), Policy: &actors.Policy{Coding: true}, Tools: append(files.Tools(), logs),
		Context: actors.ContextLimits{Warn: 18_000, Compact: 20_000, Refuse: 30_000},
	})
	turn := tree.Prompt("look at the logs")
	if turn.Ended.Outcome != messages.Completed || turn.Ended.Text != "done" {
		t.Fatalf("%+v", turn.Ended)
	}
	if made := actorstest.TurnEvents[messages.Compacted](turn); len(made) > 0 {
		t.Errorf("a summary was made: %+v", made)
	}
	requests := server.Requests()
	if len(requests) != 13 {
		t.Errorf("%d requests", len(requests))
	}
	var results []string
	for _, message := range requests[len(requests)-1].Messages {
		if message.Role == messages.Tool {
			results = append(results, message.Result.Text)
		}
	}
	if len(results) != 12 || results[0] != `[250 lines (7000 bytes) left the view to make room: read_file {"path": "artifact:1"} shows it]` || !strings.Contains(results[10], "log 11 says") {
		t.Errorf("%d results: %.200q … %.60q", len(results), results[0], results[10])
	}
	if last := results[11]; !strings.Contains(last, "log 1 says that all is well") {
		t.Errorf("what left cannot be read: %.200q", last)
	}
	gone := 0
	for _, result := range results {
		if strings.Contains(result, " left the view ") {
			gone++
		}
	}
	if part := windowOf(t, tree)["result logs (11)"]; gone == 0 || part.Why != fmt.Sprintf("%d of 11 removed from view", gone) || part.Tokens == 0 {
		t.Errorf("%d results left, and /context says %+v", gone, part)
	}
}

func TestAReadMakesRoomForItself(t *testing.T) {
	for _, window := range []int{200_000, 9_000} {
		dir := t.TempDir()
		size := window / 16 * 4 // bytes of a page, a sixteenth of the window
		calls := make([]modeltest.Call, 30)
		for i := range calls {
			name := fmt.Sprintf("page-%d.txt", i)
			text := strings.Repeat(fmt.Sprintf("page %d says that all is well\n", i), size/30)
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			calls[i] = modeltest.Call{Name: "read_file", Args: map[string]any{"path": name, "start_line": 1}}
		}
		next := 0
		server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
			switch {
			case len(request.Tools) == 0:
				return modeltest.Text("a summary")
			case next == len(calls):
				return modeltest.Text("done")
			}
			next++
			return modeltest.Calls(calls[next-1]).WithFaults(modeltest.Tokens(len(request.Raw)/4, 1000, 10)) // the beginning is cached
		})
		tree := actorstest.Start(t, actorstest.Setup{
			Server: server, Home: t.TempDir(), Dir: dir, Policy: &actors.Policy{Coding: true, Limits: actors.Limits{Rounds: 100}}, Tools: files.Tools(),
			Models: actors.Models{Properties: func(actors.Choice) providers.About { return providers.About{Window: window} }},
		})
		turn := tree.Prompt("read all pages")
		if turn.Ended.Outcome != messages.Completed {
			t.Fatalf("%d: %+v", window, turn.Ended)
		}
		for i, ended := range actorstest.TurnEvents[messages.ToolEnded](turn) {
			if !strings.Contains(ended.Text, fmt.Sprintf("page %d says", i)) {
				t.Errorf("%d: call %d is answered %.200q", window, i, ended.Text)
			}
		}
		times := 0
		for _, notice := range actorstest.TurnEvents[messages.Notice](turn) {
			if strings.HasPrefix(notice.Text, "To make room") {
				times++
			}
		}
		if times == 0 || times > len(calls)/2 || len(actorstest.TurnEvents[messages.Compacted](turn)) > 0 {
			t.Errorf("%d: results left %d times, %d summaries", window, times, len(actorstest.TurnEvents[messages.Compacted](turn)))
		}
	}
}
