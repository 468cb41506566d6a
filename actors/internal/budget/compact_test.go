package budget_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/actors/internal/budget"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/chat"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/providers/openaichat"
	"marvin/providers/tokens"
)

// turn is a long turn against a real server, with the steps of a real turn.
type turn struct {
	t        *testing.T
	model    *openaichat.Model
	meter    tokens.Meter
	profile  persistence.Profile
	question providers.Question
	begins   int // where the turn begins
	tried    int
	refused  int
	backups  []string
	saved    [][]messages.Message // the content of each expected backup
}

const request = "Look at all files, and keep this sentence: 7c1f9a."

func newTurn(t *testing.T, server *modeltest.Server, provider, model string) *turn {
	noon := func() time.Time { return time.Date(2026, 2, 14, 12, 0, 0, 0, time.UTC) }
	client := openaichat.New(openaichat.Config{Provider: provider, BaseURL: server.URL + "/v1", Key: "key", Model: model})
	t.Cleanup(func() { client.Close() })
	return &turn{
		t: t, model: client, meter: new(tokens.Counter).MeterFor(provider, model),
		profile:  persistence.Open(t.TempDir(), noon).Profile("default"),
		question: providers.Question{System: "You are Marvin.", Messages: []messages.Message{{Role: messages.User, Text: request}}},
	}
}

// ask sends the question, and compacts if the limits require it.
func (c *turn) ask() providers.Reply {
	c.t.Helper()
	for {
		limits := budget.Limits{}.Within(c.meter.Window(0))
		state := budget.State{Tokens: c.meter.Count(c.question, limits.Warn), Tried: c.tried}
		switch verdict := limits.Decide(state); verdict {
		case budget.Compact:
			c.compact(limits)
			c.tried = c.meter.Count(c.question, 0)
			continue
		case budget.Refuse:
			c.t.Fatal(limits.Refusal(state.Tokens))
		case budget.Proceed, budget.Warn:
		}
		reply, err := c.model.Respond(c.t.Context(), c.question, func(providers.Part) {})
		switch {
		case errors.Is(err, providers.ErrTooLong):
			c.refused++
			c.meter.RecordRefusal(c.question, err)
			continue
		case err != nil:
			c.t.Fatal(err)
		}
		c.meter.Learn(c.question, reply.Usage)
		return reply
	}
}

func (c *turn) compact(limits budget.Limits) {
	c.t.Helper()
	fixed := c.meter.Count(providers.Question{System: c.question.System, Tools: c.question.Tools}, 0)
	plan := budget.New(budget.Input{Messages: c.question.Messages, Turn: c.begins, Fixed: fixed, Limits: limits, Count: c.meter.Text})
	if plan.Empty() {
		c.t.Fatal("the server's window is full, but there is nothing to drop")
	}
	path, err := chat.BackupContext(c.profile, "", budget.Backup(c.question.Messages))
	if err != nil {
		c.t.Fatal(err)
	}
	c.backups, c.saved = append(c.backups, path), append(c.saved, c.question.Messages)
	summary := ""
	for n := range plan.Parts() {
		reply, err := c.model.Respond(c.t.Context(), plan.Question(n, summary), func(providers.Part) {})
		if err != nil {
			if errors.Is(err, providers.ErrTooLong) {
				c.t.Errorf("a summary was too long to ask for: %v", err)
			}
			summary = ""
			break
		}
		summary = reply.Text
	}
	result, err := plan.Assemble(summary, path)
	if err != nil {
		c.t.Fatal(err)
	}
	c.question.Messages, c.begins = result.Messages, result.Turn
	if first := result.Messages[result.Turn]; first.Text != request {
		c.t.Errorf("the turn begins with %+v", first)
	}
}

// windowed is a server whose tokenizer makes more tokens than ours, and which refuses requests that
// do not fit. It calls for a file in each round until the turn ends.
func windowed(t *testing.T, window, rounds int, summarize func(modeltest.Request) modeltest.Step) *modeltest.Server {
	counter := new(tokens.Counter).MeterFor("any", "any")
	asked := 0
	return modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		size := counter.Count(providers.Question{Messages: request.Messages}, 0) * 5 / 4
		if size > window {
			return modeltest.Status(http.StatusBadRequest, fmt.Sprintf(
				`{"error":{"message":"This model's maximum context length is %d tokens. However, your messages resulted in %d tokens.","code":"context_length_exceeded"}}`, window, size))
		}
		if strings.Contains(request.Last().Text, "of the history.") {
			return summarize(request).WithFaults(modeltest.Tokens(size, 0, 50))
		}
		asked++
		if asked > rounds {
			return modeltest.Text("done").WithFaults(modeltest.Tokens(size, 0, 5))
		}
		return modeltest.Calls(modeltest.Call{ID: fmt.Sprint("call_", asked), Name: "read_file", Args: fmt.Sprintf(`{"path":"file%d.go"}`, asked)}).WithFaults(modeltest.Tokens(size, 0, 20))
	})
}

func (c *turn) run() {
	c.t.Helper()
	c.question.Tools = []providers.ToolSpec{{Name: "read_file", Doc: "Read a file.", Schema: json.RawMessage(`{"type":"object"}`)}}
	source, err := os.ReadFile("plan_test.go")
	if err != nil {
		c.t.Fatal(err)
	}
	for n := 0; ; n++ {
		reply := c.ask()
		if len(reply.Calls) == 0 {
			return
		}
		c.question.Messages = append(
			c.question.Messages,
			messages.Message{Role: messages.Assistant, Text: reply.Text, Calls: reply.Calls},
			messages.Message{Role: messages.Tool, Result: messages.ToolResult{
				Call: reply.Calls[0].ID, Name: "read_file", Status: messages.OK, Text: fmt.Sprintf("%d\n%s", n, strings.ToValidUTF8(string(source[n*11:][:7000]), "")),
			}},
		)
	}
}

// check checks the promises of a compaction after the turn.
func (c *turn) check(rounds int) {
	c.t.Helper()
	all := c.question.Messages
	last := all[len(all)-1].Result
	if last.Call != fmt.Sprint("call_", rounds) || !strings.HasPrefix(all[0].Text, "[Compacted history summary]\n") {
		c.t.Errorf("after %d rounds the last result is of %q and the first message %.60q", rounds, last.Call, all[0].Text)
	}
	if len(c.backups) < 2 {
		c.t.Errorf("%d compactions: the test shows too little", len(c.backups))
	}
	for i, path := range c.backups {
		data, err := os.ReadFile(path)
		if err != nil {
			c.t.Fatal(err)
		}
		lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
		var read []chat.ContextMessage
		for n, line := range lines {
			var message struct {
				Index int
				chat.ContextMessage
			}
			if err := json.Unmarshal(line, &message); err != nil || message.Index != n {
				c.t.Fatalf("%s:%d: index %d, %v", path, n+1, message.Index, err)
			}
			read = append(read, message.ContextMessage)
		}
		if !reflect.DeepEqual(read, budget.Backup(c.saved[i])) {
			c.t.Errorf("%s does not hold the conversation", path)
		}
		if !strings.Contains(all[0].Text, path) {
			c.t.Errorf("the summary does not name %s", path)
		}
	}
	for _, file := range []string{"file1.go", "file20.go"} {
		if !strings.Contains(all[0].Text, "- "+file+" — read_file") {
			c.t.Errorf("the summary does not name %s:\n%s", file, all[0].Text)
		}
	}
}

func writeSummary(modeltest.Request) modeltest.Step {
	return modeltest.Text("Requests: all files. Open work: the rest of them.")
}

func TestCompactAtLimitIsNeverRejected(t *testing.T) {
	const rounds = 32
	server := windowed(t, 40_960, rounds, writeSummary)
	turn := newTurn(t, server, providers.OpenAICompat, "qwen/qwen3-32b")
	turn.run()
	turn.check(rounds)
	if turn.refused > 0 {
		t.Errorf("%d questions were too long", turn.refused)
	}
	if !strings.Contains(turn.question.Messages[0].Text, "Open work: the rest of them.") {
		t.Errorf("the summary is %s", turn.question.Messages[0].Text)
	}
}

func TestCompactWhenTheWindowIsNotKnown(t *testing.T) {
	const rounds = 32
	server := windowed(t, 30_000, rounds, writeSummary)
	turn := newTurn(t, server, "own", "no-such-model")
	turn.run()
	turn.check(rounds)
	if turn.refused != 1 {
		t.Errorf("%d questions were refused, want the one that tells the window", turn.refused)
	}
}

func TestCompactWithoutAModelThatSummarizes(t *testing.T) {
	const rounds = 32
	server := windowed(t, 40_960, rounds, func(modeltest.Request) modeltest.Step {
		return modeltest.Status(http.StatusServiceUnavailable, `{"error":{"message":"overloaded"}}`)
	})
	turn := newTurn(t, server, providers.OpenAICompat, "qwen/qwen3-32b")
	turn.run()
	turn.check(rounds)
	if !strings.Contains(turn.question.Messages[0].Text, "Tools called:\n- read_file: ") {
		t.Errorf("the summary is %s", turn.question.Messages[0].Text)
	}
}
