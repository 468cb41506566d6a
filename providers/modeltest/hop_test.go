package modeltest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/providers/copilot/copilottest"
	"marvin/providers/modeltest"
)

// talk is a conversation as Marvin keeps it, with the author of each message.
type talk struct {
	t   *testing.T
	all []messages.Message
	by  []providers.Model // of each message; nil is the user

	heard  map[providers.Model][]string // text of the other model that a model has received
	origin map[providers.Model]string   // identifies its reasoning
}

func (c *talk) add(by providers.Model, message messages.Message) {
	c.all, c.by = append(c.all, message), append(c.by, by)
}

func (c *talk) say(text string, pictures ...messages.Picture) {
	c.add(nil, messages.Message{Role: messages.User, Text: text, Pictures: pictures})
}

const half = "Half of an ans"

// ask adds an answer to the conversation, with a result for each of its calls; one result is a
// picture. The user interrupts Copilot's answer: if the connection did, the CLI would ask again.
func (c *talk) ask(model providers.Model, effort providers.Effort) providers.Reply {
	c.t.Helper()
	if c.heard != nil {
		c.listen(model)
	}
	question := providers.Question{System: "Be brief.", Messages: c.all[:len(c.all):len(c.all)], Tools: []providers.ToolSpec{{Name: "look", Doc: "Looks.", Schema: json.RawMessage(`{"type":"object","properties":{"at":{"type":"string"}}}`)}}, Effort: effort}
	ctx, cancel := context.WithTimeoutCause(c.t.Context(), time.Minute, errors.New("no answer in a minute"))
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	_, asksAgain := model.(*copilot.Model)
	var thought strings.Builder
	reply, err := model.Respond(ctx, question, func(part providers.Part) {
		if part.Kind == providers.ThinkingPart {
			thought.WriteString(part.Text)
		}
		if asksAgain && part.Text == half {
			stop(providers.ErrCut)
		}
	})
	if err != nil && !errors.Is(err, providers.ErrCut) {
		c.t.Fatal(err)
	}
	for i := range reply.Calls {
		if reply.Calls[i].ID == "" {
			reply.Calls[i].ID = fmt.Sprintf("made_%d_%d", len(c.all), i)
		}
	}
	if reply.Thinking == nil && thought.Len() > 0 {
		reply.Thinking = []messages.Thought{{Text: thought.String(), Origin: c.origin[model]}}
	}
	c.add(model, messages.Message{Role: messages.Assistant, Text: reply.Text, Calls: reply.Calls, Thinking: reply.Thinking})
	for i, call := range reply.Calls {
		result := messages.ToolResult{Call: call.ID, Name: call.Name, Text: "seen", Status: messages.OK}
		if i == 0 {
			result.Pictures = []messages.Picture{drawing(c.t)}
		}
		c.add(model, messages.Message{Role: messages.Tool, Result: result})
	}
	return reply
}

// listen records the text of the other model that a model receives.
func (c *talk) listen(model providers.Model) {
	for i, message := range c.all {
		if c.by[i] == nil || c.by[i] == model {
			continue
		}
		for what, there := range map[string]bool{
			"calls": len(message.Calls) > 0, "a cut": message.Text == half, "thoughts": len(message.Thinking) > 0,
			"pictures": len(message.Result.Pictures) > 0,
		} {
			if there && !slices.Contains(c.heard[model], what) {
				c.heard[model] = append(c.heard[model], what)
			}
		}
	}
}

// secret is the reasoning of a model.
func secret(model string) string { return "a thought of " + model + "'s" }

// keepTheirThoughts checks that each model gets its own reasoning, if its protocol has it, and not
// the other's.
func keepTheirThoughts(t *testing.T, wire modeltest.Wire, own string, requests []modeltest.Request) {
	t.Helper()
	for _, request := range requests {
		if others := strings.ReplaceAll(string(request.Raw), secret(own), ""); strings.Contains(others, "a thought of ") {
			t.Errorf("%s is reported what another thought: %s", own, request.Raw)
		}
	}
	if last := requests[len(requests)-1]; slices.Contains(thinking, wire) && !strings.Contains(string(last.Raw), "it is "+secret(own)) {
		t.Errorf("%s does not get back what it thought: %s", own, last.Raw)
	}
}

// script returns the answers of a server to each model in turn.
func script() func(modeltest.Request) modeltest.Step {
	var mu sync.Mutex
	asked := map[string]int{}
	return func(request modeltest.Request) modeltest.Step {
		mu.Lock()
		n := asked[request.Model] % 4
		asked[request.Model]++
		mu.Unlock()
		switch n {
		case 0:
			return modeltest.Think("it is ", secret(request.Model)).Append(modeltest.Text("I look."), modeltest.Calls(modeltest.Call{Name: "look", Args: map[string]string{"at": "a"}}, modeltest.Call{Name: "look", Args: map[string]string{"at": "b"}}))
		case 1:
			return modeltest.Think(secret(request.Model)).Append(modeltest.Text("It is a dot."))
		case 2:
			if strings.HasPrefix(request.Model, "copilot ") {
				return modeltest.Text(half).Append(modeltest.Hang())
			}
			return modeltest.Text(half).Append(modeltest.End())
		}
		return modeltest.Think(secret(request.Model)).Append(modeltest.Calls(modeltest.Call{Name: "look"}))
	}
}

// hop moves a conversation with calls, reasoning, interruptions and pictures from one model to
// another, even in the middle of a round, and back.
func hop(t *testing.T, one, two hopper) {
	t.Helper()
	talk := &talk{t: t, heard: map[providers.Model][]string{}, origin: map[providers.Model]string{one.Model: one.origin(), two.Model: two.origin()}}
	talk.say("what is this?", drawing(t))
	talk.ask(one.Model, providers.High) // calls
	talk.ask(two.Model, providers.High) // the other model continues in the middle of a round
	talk.ask(two.Model, providers.High) // after its own answer, as on "continue"
	for range 2 {
		talk.say("go on")
		talk.ask(one.Model, providers.High)
		talk.say("and now", drawing(t))
		talk.ask(two.Model, providers.High)
	}
	talk.say("done?")
	talk.ask(one.Model, "")
	for _, pair := range [][2]hopper{{one, two}, {two, one}} {
		want := []string{"a cut", "calls", "pictures", "thoughts"}
		if got := slices.Sorted(slices.Values(talk.heard[pair[0].Model])); !slices.Equal(got, want) {
			t.Errorf("a model got %q of the other, not %q", got, want)
		}
		keepTheirThoughts(t, pair[0].wire, pair[0].name, pair[0].requests())
	}
}

// hopper is a model with the server that answers it.
type hopper struct {
	providers.Model
	wire     modeltest.Wire
	name     string
	requests func() []modeltest.Request
}

// origin returns the name that Marvin uses for the model.
func (h hopper) origin() string {
	provider, known := map[modeltest.Wire]string{modeltest.OpenAI: "chat", modeltest.Anthropic: "claude", modeltest.Responses: "gpt"}[h.wire]
	if !known {
		provider = string(h.wire)
	}
	return provider + "/" + h.name
}

// deepSeek is chat completions with reasoning that is sent back.
const deepSeek modeltest.Wire = "deepseek"

var (
	hopping  = append([]modeltest.Wire{deepSeek}, wires...)
	thinking = []modeltest.Wire{deepSeek, modeltest.Ollama, modeltest.Anthropic, modeltest.Responses}
)

func hopperOf(t *testing.T, wire modeltest.Wire, name string) hopper {
	server := modeltest.StartFunc(t, script())
	return hopper{client(t, wire, server, name, providers.About{Most: 20_000}), wire, name, server.Requests}
}

func TestEveryWireHandsOverToEveryOther(t *testing.T) {
	for _, from := range hopping {
		for _, to := range hopping {
			t.Run(fmt.Sprint(from, " to ", to), func(t *testing.T) {
				hop(t, hopperOf(t, from, "claude-sonnet-4-5"), hopperOf(t, to, "claude-sonnet-4-6"))
			})
		}
	}
}

func TestCopilotHandsOverToEveryWireAndBack(t *testing.T) {
	path := copilottest.Path(t)
	behind := modeltest.StartFunc(t, script())
	cli := copilot.NewCLI(copilot.CLIConfig{Environ: append(copilottest.Environ(t.TempDir(), "COPILOT_CLI_PATH="+path), copilottest.Asking(behind.URL)...)})
	defer cli.Stop(context.WithoutCancel(t.Context()))
	ours := func(t *testing.T, name string) hopper {
		name = "copilot " + name
		model := copilot.New(copilot.Config{CLI: cli, Model: name})
		t.Cleanup(func() { _ = model.Close() })
		return hopper{model, "copilot", name, func() []modeltest.Request {
			return slices.DeleteFunc(behind.Requests(), func(request modeltest.Request) bool { return request.Model != name })
		}}
	}
	wires := hopping
	if testing.Short() { // each start of the CLI takes half a second of processor time
		wires = wires[:1]
	}
	for _, wire := range wires {
		t.Run(fmt.Sprint("copilot to ", wire), func(t *testing.T) {
			hop(t, ours(t, "before "+string(wire)), hopperOf(t, wire, "claude-sonnet-4-6"))
		})
		t.Run(fmt.Sprint(wire, " to copilot"), func(t *testing.T) {
			hop(t, hopperOf(t, wire, "claude-sonnet-4-6"), ours(t, "behind "+string(wire)))
		})
	}
	t.Run("copilot to copilot", func(t *testing.T) { hop(t, ours(t, "first"), ours(t, "second")) })
}
