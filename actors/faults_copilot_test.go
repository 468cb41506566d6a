package actors_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/providers/copilot/copilottest"
	"marvin/providers/modeltest"
	"marvin/tools"
)

const (
	atOnce   = 8                // conversations at the same time in one CLI
	patience = 10 * time.Second // with a silent model; the CLI's own first output takes 3 s on a busy machine
)

// otherwise lists the faults that end differently with the CLI or need another script. The CLI
// retries by itself: a 401 three times, a broken answer six times, server errors for 16 s. After a
// broken answer it starts again.
var otherwise = []fault{
	{name: "slow headers", script: one(modeltest.Text("fine")), gate: halfASecond, outcome: completed, text: "fine"},
	{name: "no headers", script: one(modeltest.Text("x")), gate: noHeaders, outcome: failed, slow: true, silence: patience},
	{name: "nothing behind the headers", script: one(modeltest.Hang()), outcome: failed, slow: true, silence: patience},
	{name: "silence in the middle", script: one(modeltest.Text("half").Append(modeltest.Hang())), outcome: failed, slow: true, silence: patience, text: "half"},
	{name: "keep-alives only", script: one(modeltest.Hang().WithFaults(modeltest.Pings())), outcome: failed, slow: true, silence: patience},
	{name: "end before a word, for ever", script: repeated(modeltest.End(), 6), outcome: failed},
	{name: "end in the middle", script: []modeltest.Step{modeltest.Text("The first half ").Append(modeltest.End()), modeltest.Text("The first half and the rest.")}, outcome: completed, text: "The first half and the rest."},
	{name: "drop in the middle, then a repetition", script: []modeltest.Step{modeltest.Text("The first half of it ").Append(modeltest.Drop()), modeltest.Text("The first ", "half of it and the rest.")}, outcome: completed, text: "The first half of it and the rest."},
	{name: "drop in the middle, then another answer", script: []modeltest.Step{modeltest.Text("It is forty-").Append(modeltest.Drop()), modeltest.Text("Fif", "ty.")}, outcome: completed, text: "It is forty-\n\nFifty."},
	{name: "reset in the middle", script: []modeltest.Step{modeltest.Text("The first half ").Append(modeltest.Reset()), modeltest.Text("The first half and the rest.")}, outcome: completed, text: "The first half and the rest."},
	{name: "end in the middle, twice", script: []modeltest.Step{modeltest.Text("One ").Append(modeltest.End()), modeltest.Text("One two ").Append(modeltest.End()), modeltest.Text("One two three")}, outcome: completed, text: "One two three"},
	{name: "end in the middle of a call", script: one(modeltest.Raw(`{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"count","arguments":"{\"te"}}]}}]}`).Append(modeltest.End())), outcome: completed, text: "recovered"},
	{name: "no finish reason", script: []modeltest.Step{modeltest.Text("almost ").WithFaults(modeltest.NoFinish(), modeltest.NoDone()), modeltest.Text("almost whole")}, outcome: completed, text: "almost whole"},
	{name: "output limit", script: []modeltest.Step{modeltest.Text("as far as").WithFaults(modeltest.Finish("length")), modeltest.Text(" it goes")}, outcome: completed, text: "as far as it goes"},
	{name: "no answer at all", script: one(modeltest.Text()), outcome: failed},
	{name: "401", script: repeated(status(401), 3), outcome: failed},
	{name: "425", script: one(status(425)), outcome: failed},
	{name: "429 once, no Retry-After", script: one(status(429)), outcome: completed, text: "recovered", slow: true},
	{name: "429 for ever", script: repeated(status(429, "Retry-After", "2"), 6), outcome: failed, slow: true},
	{name: "500 for ever", script: repeated(status(500), 6), outcome: failed, slow: true},
	{name: "HTML with status 200", script: one(modeltest.Page("text/html", "<html><body>Please log in</body></html>")), outcome: completed, text: "recovered"},
	{name: "malformed chunk", script: one(modeltest.Malformed()), outcome: completed, text: "recovered"},
	{name: "error event before a word", script: repeated(modeltest.ErrorEvent("overloaded"), 6), outcome: failed, slow: true},
	// The CLI returns ids unchanged, which a strict server refuses.
	{name: "two calls with one id", script: []modeltest.Step{modeltest.Calls(modeltest.Call{Name: "count"}, modeltest.Call{Name: "count"}).WithFaults(modeltest.SameIDs()), modeltest.Refused()}, outcome: failed},
	{name: "calls without ids", script: one(counts().WithFaults(modeltest.NoIDs())), outcome: completed, text: "recovered"},
}

func halfASecond(step modeltest.Step) modeltest.Step {
	gate := make(chan struct{})
	time.AfterFunc(500*time.Millisecond, func() { close(gate) })
	return step.WithFaults(modeltest.SlowHeaders(gate))
}

// faultsOfCopilot returns all faults with the end that they have with the CLI.
func faultsOfCopilot() []fault {
	changed := map[string]fault{}
	for _, fault := range otherwise {
		changed[fault.name] = fault
	}
	var all []fault
	for _, usual := range append(slices.Clone(faults), otherwise...) {
		if other, ok := changed[usual.name]; ok {
			usual = other
		}
		usual.within = actorstest.Patience // in real time, no test depends on a shorter limit
		if usual.wire {                    // the CLI talks to the model and handles such answers in its own way
			continue
		}
		if !slices.ContainsFunc(all, func(known fault) bool { return known.name == usual.name }) {
			all = append(all, usual)
		}
	}
	return all
}

// behindCopilot tests the faults with the real Copilot CLI, in real time: most of them in one CLI,
// which uses 290 MB, and in two more that are killed or silent.
func behindCopilot(t *testing.T, table *table) {
	path := copilottest.Path(t)
	stage := &stage{plays: map[string]func(modeltest.Request) modeltest.Step{}}
	server := modeltest.StartFunc(t, stage.answer)
	world := copilottest.Environ(t.TempDir(), copilottest.Asking(server.URL)...)
	cli := startCLI(t, world, path, 0)
	keeper := copilot.New(copilot.Config{CLI: cli, Model: "keeper"}) // the CLI ends with its last model
	t.Cleanup(func() { keeper.Close() })
	unpack := providers.Question{System: "You are Marvin.", Messages: []messages.Message{{Role: messages.User, Text: "unpack yourself"}}}
	if _, err := keeper.Respond(t.Context(), unpack, func(providers.Part) {}); err != nil {
		t.Fatal(err)
	}
	all := faultsOfCopilot()
	if testing.Short() { // the CLI uses much processor time
		every := 0
		all = slices.DeleteFunc(all, func(fault) bool { every++; return every%6 != 1 })
	}
	rows := make([]row, len(all))
	room := make(chan struct{}, atOnce) // t.Parallel would allow as many as there are processors
	var work sync.WaitGroup
	for i, fault := range all {
		work.Go(func() {
			if !fault.slow { // slow faults mostly wait
				room <- struct{}{}
				defer func() { <-room }()
			}
			t.Run(fault.name, func(t *testing.T) {
				rows[i] = stage.meet(t, cli, fault, func() {}, func(*actorstest.Tree) {})
			})
		})
	}
	var deaths, silence []row
	work.Go(func() { deaths = killed(t, stage, world, path) })
	work.Go(func() { silence = speechless(t, stage, world, path) })
	work.Wait()
	table.rows = slices.Concat(table.rows, rows, deaths, silence)
}

// stage runs several conversations with one model server. The model's name selects the script.
type stage struct {
	mu    sync.Mutex
	plays map[string]func(modeltest.Request) modeltest.Step
}

func (s *stage) answer(request modeltest.Request) modeltest.Step {
	s.mu.Lock()
	answer := s.plays[request.Model]
	s.mu.Unlock()
	if answer == nil {
		return modeltest.Text("fine")
	}
	return answer(request)
}

// cast adds a script and returns the name of its model.
func (s *stage) cast(answer func(modeltest.Request) modeltest.Step) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := fmt.Sprint("fault-", len(s.plays)+1)
	s.plays[name] = answer
	return name
}

// meet tests one fault in its own tree. inTool and meanwhile do what a script cannot.
func (s *stage) meet(t *testing.T, cli *copilot.CLI, fault fault, inTool func(), meanwhile func(*actorstest.Tree)) row {
	t.Helper()
	script := fault.script
	if fault.gate != nil {
		script = []modeltest.Step{fault.gate(script[0])}
	}
	var asked, runs atomic.Int32
	name := s.cast(plays(script, &asked))
	tree := actorstest.Start(t, actorstest.Setup{
		Tools: []tools.Tool{counter(&runs, inTool)}, Policy: &actors.Policy{}, Tuning: actors.Tuning{Silence: fault.silence},
		Models: actors.Models{Connect: func(actors.Choice) (providers.Model, error) {
			return copilot.New(copilot.Config{CLI: cli, Model: name}), nil
		}},
	})
	return live(t, tree, fault, providers.Copilot, &asked, &runs, func() { meanwhile(tree) })
}
