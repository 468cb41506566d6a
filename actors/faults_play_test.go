package actors_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/tools"
)

// row is the outcome of one fault.
type row struct {
	fault, provider string
	requests        int32
	took            time.Duration
	ended           messages.TurnEnded
}

// table is the output of `make test-faults`.
type table struct{ rows []row }

func (t *table) print() {
	if os.Getenv("FAULT_TABLE") == "" {
		return
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(out, "FAULT\tPROVIDER\tOUTCOME\tREQUESTS\tTIME\tSAID")
	for _, row := range t.rows {
		fmt.Fprintf(out, "%s\t%s\t%s\t%d\t%s\t%.90q\n", row.fault, row.provider, row.ended.Outcome, row.requests,
			row.took.Round(100*time.Millisecond), cmp.Or(row.ended.Err, row.ended.Text))
	}
	out.Flush()
}

// counter is a tool that counts its runs and has a side effect.
func counter(runs *atomic.Int32, besides func()) tools.Tool {
	return tool("count", func(context.Context, tools.Env) (tools.Output, error) {
		runs.Add(1)
		besides()
		return tools.Output{Text: "counted"}, nil
	})
}

// plays answers with the script, and after that without faults.
func plays(script []modeltest.Step, asked *atomic.Int32) func(modeltest.Request) modeltest.Step {
	return func(request modeltest.Request) modeltest.Step {
		answered := int(asked.Add(1))
		switch last := request.Last(); {
		case strings.HasSuffix(last.Text, "again"): // Copilot adds the time before the text
			return modeltest.Text("fine again")
		case answered <= len(script):
			return script[answered-1]
		case last.Role == messages.Tool:
			return modeltest.Text("done")
		}
		return modeltest.Text("recovered")
	}
}

// meet tests one fault in virtual time.
func meet(t *testing.T, fault fault, wire modeltest.Wire) row {
	script := fault.script
	if fault.gate != nil {
		script = []modeltest.Step{fault.gate(script[0])}
	}
	var asked, runs atomic.Int32
	server, client := modeltest.StartPipe(t, plays(script, &asked))
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, HTTP: client, Wire: wire, Retry: true, Tools: []tools.Tool{counter(&runs, func() {})}, Wait: time.Hour,
		Policy: &actors.Policy{Limits: actors.Limits{Time: 10 * time.Minute}},
	})
	return live(t, tree, fault, string(wire), &asked, &runs, func() {})
}

// live runs a fault, the action that the fault needs, and the following turn.
func live(t *testing.T, tree *actorstest.Tree, fault fault, provider string, asked, runs *atomic.Int32, meanwhile func()) row {
	t.Helper()
	begun := time.Now()
	tree.Client.Send(messages.Say("go"))
	meanwhile()
	turn := tree.Finish()
	turn.Events = tree.Seen
	row := row{fault: fault.name, provider: provider, requests: asked.Load(), took: time.Since(begun), ended: turn.Ended}
	check(t, fault, turn, row.took)
	if calls := strings.Count(fmt.Sprint(actorstest.TurnEvents[messages.ToolsCalled](turn)), "count"); int(runs.Load()) > calls {
		t.Errorf("the tool ran %d times for %d calls", runs.Load(), calls)
	}
	if provider == providers.Copilot { // in real time, the turn after a silence gets more time: coding mode has its own limit
		tree.Client.Send(messages.SetMode{Coding: true})
	}
	if next := tree.Prompt("again"); next.Ended.Text != "fine again" {
		t.Errorf("the next turn ended %+v", next.Ended)
	}
	return row
}

func check(t *testing.T, fault fault, turn actorstest.Turn, took time.Duration) {
	t.Helper()
	ended := turn.Ended
	if ended.Outcome != fault.outcome || fault.text != "" && ended.Text != fault.text {
		t.Errorf("ended %s with %.200q: %s", ended.Outcome, ended.Text, ended.Err)
	}
	if ended.Outcome != completed && ended.Err == "" {
		t.Error("no reason is given")
	}
	within := fault.within
	if within == 0 {
		within = 5 * time.Second
	}
	if took > within {
		t.Errorf("it took %s, more than %s", took, within)
	}
	var streamed strings.Builder
	for _, text := range actorstest.TurnEvents[messages.Text](turn) {
		streamed.WriteString(text.Chunk)
	}
	if strings.ReplaceAll(streamed.String(), "\n", "") != strings.ReplaceAll(ended.Text, "\n", "") {
		t.Errorf("streamed %.200q, ended with %.200q", streamed.String(), ended.Text)
	}
}
