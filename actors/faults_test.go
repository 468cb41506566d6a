package actors_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/shell"
)

// fault is a way in which a model fails, with the expected end of the turn.
type fault struct {
	name    string
	script  []modeltest.Step
	gate    func(modeltest.Step) modeltest.Step // changes the step with a gate, which must be made inside the bubble
	outcome messages.Outcome
	text    string        // the whole answer; "" means any
	within  time.Duration // 0 means 5 s
	slow    bool          // with the Copilot CLI it mostly waits
	silence time.Duration // the silence limit; 0 means the default
	openai  bool          // only with this protocol
	wire    bool          // only if Marvin itself talks to the model
}

const (
	completed  = messages.Completed
	failed     = messages.Failed
	incomplete = messages.Incomplete
)

func status(code int, header ...string) modeltest.Step {
	return modeltest.Status(code, `{"error":{"message":"not now"}}`, header...)
}

func repeated(step modeltest.Step, times int) []modeltest.Step {
	steps := make([]modeltest.Step, times)
	for i := range steps {
		steps[i] = step
	}
	return steps
}

func one(step modeltest.Step) []modeltest.Step { return []modeltest.Step{step} }

// counts calls the tool that counts its runs.
func counts() modeltest.Step { return modeltest.Calls(modeltest.Call{Name: "count"}) }

// faults are failures of servers, networks and models that were observed.
var faults = []fault{
	// Silence.
	{name: "slow headers", script: one(modeltest.Text("fine")), gate: slowHeaders, outcome: completed, text: "fine", within: 61 * time.Second},
	{name: "no headers", script: one(modeltest.Text("x")), gate: noHeaders, outcome: failed, within: 190 * time.Second},
	{name: "nothing behind the headers", script: one(modeltest.Hang()), outcome: failed, within: 190 * time.Second},
	{name: "silence in the middle", script: one(modeltest.Text("half").Append(modeltest.Hang())), outcome: failed, text: "half", within: 190 * time.Second},
	{name: "keep-alives only", script: one(modeltest.Hang().WithFaults(modeltest.Pings())), outcome: failed, within: 190 * time.Second, openai: true},
	// Streams that end early.
	{name: "end before a word", script: one(modeltest.End()), outcome: completed, text: "recovered", within: time.Minute},
	{name: "end before a word, for ever", script: repeated(modeltest.End(), 5), outcome: failed, within: time.Minute},
	{name: "drop before a word", script: one(modeltest.Drop()), outcome: completed, text: "recovered", within: time.Minute},
	{name: "reset before a word", script: one(modeltest.Reset()), outcome: completed, text: "recovered", within: time.Minute},
	{name: "end in the middle", script: []modeltest.Step{modeltest.Text("The first half ").Append(modeltest.End()), modeltest.Text("and the rest.")}, outcome: completed, text: "The first half and the rest."},
	{name: "drop in the middle, then a repetition", script: []modeltest.Step{modeltest.Text("The first half of it ").Append(modeltest.Drop()), modeltest.Text("first half of it ", "and the rest.")}, outcome: completed, text: "The first half of it and the rest."},
	{name: "reset in the middle", script: []modeltest.Step{modeltest.Text("The first half ").Append(modeltest.Reset()), modeltest.Text("and the rest.")}, outcome: completed, text: "The first half and the rest."},
	{name: "end in the middle, twice", script: []modeltest.Step{modeltest.Text("One ").Append(modeltest.End()), modeltest.Text("two ").Append(modeltest.End())}, outcome: incomplete, text: "One two "},
	{name: "end in the middle of a call", script: one(modeltest.Raw(`{"id":"c","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"count","arguments":"{\"te"}}]}}]}`).Append(modeltest.End())), outcome: failed, openai: true},
	{name: "no [DONE]", script: one(modeltest.Text("whole").WithFaults(modeltest.NoDone())), outcome: completed, text: "whole", openai: true},
	{name: "no finish reason", script: []modeltest.Step{modeltest.Text("almost ").WithFaults(modeltest.NoFinish(), modeltest.NoDone()), modeltest.Text("whole")}, outcome: completed, text: "almost whole", openai: true},
	{name: "open socket behind the end", script: one(modeltest.Text("whole").WithFaults(modeltest.KeepOpen())), outcome: completed, text: "whole"},
	{name: "output limit", script: one(modeltest.Text("as far as").WithFaults(modeltest.Finish("length"))), outcome: completed, text: "as far asrecovered"},
	{name: "no answer at all", script: one(modeltest.Text()), outcome: completed, text: "recovered", wire: true},
	{name: "no answer at all, twice", script: repeated(modeltest.Text(), 2), outcome: incomplete, wire: true},
	{name: "thoughts alone", script: one(modeltest.Think("hm")), outcome: completed, text: "recovered", wire: true},
	{name: "thoughts alone, twice", script: repeated(modeltest.Think("hm"), 2), outcome: incomplete, wire: true},
	{name: "a call that is said and not there", script: one(modeltest.Text().WithFaults(modeltest.Finish("tool_calls"))), outcome: completed, text: "recovered", wire: true},
	{name: "a call that is said and not there, twice", script: repeated(modeltest.Text().WithFaults(modeltest.Finish("tool_calls")), 2), outcome: incomplete, wire: true},
	{name: "keep-alives behind a complete call", script: one(counts().Append(modeltest.Hang()).WithFaults(modeltest.Pings())), outcome: completed, text: "done", within: 10 * time.Second, openai: true, wire: true},
	// Refusals.
	{name: "400", script: one(status(400)), outcome: failed},
	{name: "401", script: one(status(401)), outcome: failed},
	{name: "403", script: one(status(403)), outcome: failed},
	{name: "404", script: one(status(404)), outcome: failed},
	{name: "408", script: one(status(408)), outcome: completed, text: "recovered"},
	{name: "409", script: one(status(409)), outcome: completed, text: "recovered"},
	{name: "425", script: one(status(425)), outcome: completed, text: "recovered"},
	{name: "429 once, Retry-After 2", script: one(status(429, "Retry-After", "2")), outcome: completed, text: "recovered"},
	{name: "429 once, no Retry-After", script: one(status(429)), outcome: completed, text: "recovered", within: 31 * time.Second},
	{name: "429 for ever", script: repeated(status(429, "Retry-After", "5"), 3), outcome: failed, within: 20 * time.Second},
	{name: "429 for half a day", script: one(status(429, "Retry-After", "43200")), outcome: failed},
	{name: "500 once", script: one(status(500)), outcome: completed, text: "recovered"},
	{name: "503 with a date", script: one(status(503, "Retry-After", "Fri, 20 Nov 2026 12:00:10 GMT", "Date", "Fri, 20 Nov 2026 12:00:00 GMT")), outcome: completed, text: "recovered", within: 11 * time.Second},
	{name: "529 once", script: one(status(529)), outcome: completed, text: "recovered"},
	{name: "500 for ever", script: repeated(status(500), 5), outcome: failed, within: time.Minute},
	// Answers that are not in the protocol.
	{name: "HTML with status 200", script: one(modeltest.Page("text/html", "<html><body>Please log in</body></html>")), outcome: failed},
	{name: "malformed chunk", script: one(modeltest.Malformed()), outcome: failed},
	{name: "error event before a word", script: repeated(modeltest.ErrorEvent("overloaded"), 5), outcome: failed, within: time.Minute},
	{name: "broken UTF-8", script: one(modeltest.Garbled("be", "fore")), outcome: completed},
	{name: "one line of 256 KB", script: one(modeltest.HugeLine(256 << 10)), outcome: completed, openai: true},
	{name: "CRLF", script: one(modeltest.Text("whole").WithFaults(modeltest.CRLF())), outcome: completed, text: "whole"},
	{name: "gzip", script: one(modeltest.Text("whole").WithFaults(modeltest.Gzip())), outcome: completed, text: "whole"},
	{name: "one byte at a time", script: one(modeltest.Text("whöle").WithFaults(modeltest.Split(1))), outcome: completed, text: "whöle"},
	{name: "keep-alives between words", script: one(modeltest.Text("wh", "ole").WithFaults(modeltest.Pings())), outcome: completed, text: "whole", openai: true},
	{name: "usage on every chunk", script: one(modeltest.Text("wh", "ole").WithFaults(modeltest.UsageOnEach())), outcome: completed, text: "whole", openai: true},
	{name: "null everywhere", script: one(modeltest.Text("whole").WithFaults(modeltest.Nulls(), modeltest.NullError())), outcome: completed, text: "whole", openai: true},
	// Faulty calls.
	{name: "cut arguments", script: one(modeltest.Calls(modeltest.Call{Name: "count", Args: `{"x":`}).WithFaults(modeltest.Finish("length"))), outcome: completed, text: "done", openai: true},
	{name: "arguments that are no JSON", script: one(modeltest.Calls(modeltest.Call{Name: "count", Args: `{x`})), outcome: completed, text: "done", openai: true},
	{name: "unknown tool", script: one(modeltest.Calls(modeltest.Call{Name: "nonsense"})), outcome: completed, text: "done"},
	{name: "two calls without index", script: one(modeltest.Calls(modeltest.Call{Name: "count"}, modeltest.Call{Name: "count"}).WithFaults(modeltest.NoIndex())), outcome: completed, text: "done", openai: true},
	{name: "two calls with one id", script: one(modeltest.Calls(modeltest.Call{Name: "count"}, modeltest.Call{Name: "count"}).WithFaults(modeltest.SameIDs())), outcome: completed, text: "done"},
	{name: "calls without ids", script: one(counts().WithFaults(modeltest.NoIDs())), outcome: completed, text: "done"},
	{name: "500 behind a call", script: []modeltest.Step{counts(), status(500)}, outcome: completed, text: "done", within: 10 * time.Second},
	{name: "end behind a call", script: []modeltest.Step{counts(), modeltest.End()}, outcome: completed, text: "done", within: 10 * time.Second},
}

func slowHeaders(step modeltest.Step) modeltest.Step {
	gate := make(chan struct{})
	time.AfterFunc(time.Minute, func() { close(gate) })
	return step.WithFaults(modeltest.SlowHeaders(gate))
}

func noHeaders(step modeltest.Step) modeltest.Step {
	return step.WithFaults(modeltest.SlowHeaders(make(chan struct{})))
}

// Each fault with each provider: the turn ends in a clear state within its time, no
// text and no side effect comes twice, and the next prompt works. `make test-faults`
// prints the table.
func TestFaults(t *testing.T) {
	var table table
	for _, wire := range []modeltest.Wire{modeltest.OpenAI, modeltest.Ollama} {
		for _, fault := range faults {
			if fault.openai && wire != modeltest.OpenAI {
				continue
			}
			t.Run(string(wire)+"/"+fault.name, func(t *testing.T) {
				virtually(t, func(t *testing.T) { table.rows = append(table.rows, meet(t, fault, wire)) })
			})
		}
	}
	t.Run("copilot", func(t *testing.T) { behindCopilot(t, &table) })
	table.print()
}

// A model that never stops is ended by the time limit. The test uses real time: the server is never
// idle, so virtual time would not advance.
func TestEndlessAnswersEndByTheTimeLimit(t *testing.T) {
	for name, endless := range map[string]modeltest.Step{"thinking": modeltest.EndlessThinking(), "text": modeltest.EndlessText()} {
		for _, wire := range []modeltest.Wire{modeltest.OpenAI, modeltest.Ollama} {
			t.Run(name+"/"+string(wire), func(t *testing.T) {
				// On a busy machine the time may be over before the first request.
				server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return endless })
				tree := actorstest.Start(t, actorstest.Setup{
					Server: server, Wire: wire,
					Policy: &actors.Policy{Limits: actors.Limits{Time: 50 * time.Millisecond}},
				})
				if ended := tree.Prompt("go").Ended; ended.Outcome != incomplete || ended.Err != "the time limit of 50ms has been reached" {
					t.Errorf("ended %s: %s", ended.Outcome, ended.Err)
				}
			})
		}
	}
}

// After 500 turns (140 with -short) with random faults and cancels, the numbers of goroutines, open
// files and children are the same as before.
func TestManyTurnsLeaveNothingBehind(t *testing.T) {
	random, fates := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(3, 4)) // of the test, and of the server
	var mu sync.Mutex
	waits := modeltest.Calls(modeltest.Call{Name: "waits"})
	sleeps := modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "sleep " + napping + " & sleep " + napping}})
	harmless := []modeltest.Step{
		modeltest.Text("fine"), counts(), modeltest.Text("half").Append(modeltest.End()), modeltest.Reset(), status(400), status(401),
		modeltest.Malformed(), modeltest.Page("text/html", "<html>"), modeltest.Text("half").Append(modeltest.Reset()),
		waits, sleeps, modeltest.Text("on and on").Append(modeltest.Hang()),
	}
	// In each group of twenty turns these must end as intended, however slow the machine is: two are
	// cancelled while their tool runs, and two are not disturbed.
	meant := map[int]modeltest.Step{0: waits, 10: sleeps, 5: modeltest.Text("fine"), 15: status(401)}
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Text == "warm up" {
			return modeltest.Text("warm")
		}
		if turn, err := strconv.Atoi(strings.TrimPrefix(request.Last().Text, "turn ")); err == nil {
			if step, chosen := meant[turn%20]; chosen {
				return step
			}
		}
		mu.Lock()
		defer mu.Unlock()
		return harmless[fates.IntN(len(harmless))]
	})
	transport := &http.Transport{}
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, HTTP: &http.Client{Transport: transport}, Policy: &actors.Policy{Coding: true, Limits: actors.Limits{Rounds: 3}},
		Dir:   t.TempDir(),
		Tools: append(shell.Tools(), untilDone("waits"), tool("count", func(context.Context, tools.Env) (tools.Output, error) { return tools.Output{Text: "1"}, nil })),
	})
	tree.Prompt("warm up")
	before, files := runtime.NumGoroutine(), openFiles(t)
	outcomes, ran := map[messages.Outcome]int{}, map[string]int{}
	turns := 500
	if testing.Short() {
		turns = 140
	}
	for i := range turns {
		tree.Client.Send(messages.Prompt{Text: fmt.Sprint("turn ", i)})
		cancelled, soon := make(chan struct{}), time.Duration(1+random.IntN(15))*time.Millisecond
		if i%5 == 0 {
			soon = time.Hour // no cancel, so that it has its intended end
		}
		cancel := time.AfterFunc(soon, func() { defer close(cancelled); tree.Client.Send(messages.Cancel{}) })
		if i%10 == 0 {
			call := actorstest.ReadUntil[messages.ToolStarted](tree).Name
			await(t, call+" runs", func() bool { return call != "run_command" || naps(t) == 2 })
			ran[call]++
			tree.Client.Send(messages.Cancel{})
		}
		outcomes[tree.Finish().Ended.Outcome]++
		if !cancel.Stop() {
			<-cancelled // otherwise it would cancel the next turn
		}
		tree.Seen = nil
	}
	transport.CloseIdleConnections()
	for deadline := time.Now().Add(actorstest.Patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if runtime.NumGoroutine() <= before+5 && openFiles(t) <= files+2 {
			break
		}
	}
	if now := runtime.NumGoroutine(); now > before+5 {
		t.Errorf("%d goroutines, %d before", now, before)
	}
	if ran["run_command"] == 0 || ran["waits"] == 0 {
		t.Errorf("the tools that are to be stopped never ran: %v", ran)
	}
	if left := naps(t); left > 0 {
		t.Errorf("%d children still run", left)
	}
	if now := openFiles(t); now > files+2 {
		t.Errorf("%d open files, %d before", now, files)
	}
	if outcomes[completed] == 0 || outcomes[messages.Cancelled] == 0 || outcomes[failed] == 0 {
		t.Errorf("the mix is wrong: %v", outcomes)
	}
	t.Log(outcomes, ran)
}

// napping is a duration with which no other process sleeps, not even another run of these tests.
var napping = fmt.Sprintf("300.%07d", os.Getpid())

// naps counts the running children of the test.
func naps(t *testing.T) int {
	t.Helper()
	commands, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range commands {
		command, _ := os.ReadFile(path) // it may have ended meanwhile
		if string(command) == "sleep\x00"+napping+"\x00" {
			found++
		}
	}
	return found
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("no /proc")
	}
	return len(entries)
}
