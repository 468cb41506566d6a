// Package actorstest starts a whole tree against a local model server.
package actorstest

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/messages"
	"marvin/persistence"
	written "marvin/persistence/words"
	"marvin/providers"
	"marvin/providers/dialect"
	"marvin/providers/limit"
	"marvin/providers/modeltest"
	"marvin/providers/ollama"
	"marvin/providers/openaichat"
	"marvin/providers/retry"
	"marvin/tools"
	"marvin/tools/hooks"
	"marvin/tools/language"
)

// Setup says what the tree is made of. The zero value is a coding conversation
// without tools, in no directory.
type Setup struct {
	Server *modeltest.Server
	Other  *modeltest.Server // where to fall back to; nil for nowhere
	HTTP   *http.Client      // nil: one of its own
	Wire   modeltest.Wire    // the protocol to speak; OpenAI if empty
	Retry  bool              // what may be tried again is
	// Connect makes the models, instead of clients of Server.
	Connect func(actors.Choice) (providers.Model, error)
	// Choose finds a provider by name, instead of taking any name.
	Choose func(provider string) (actors.Choice, error)
	Models actors.Models // besides the one that answers
	About  func(actors.Choice) providers.About
	Tools  []tools.Tool
	Dir    string
	Start  string // where Marvin was started
	Home   string // "" for none
	Audit  string
	// Notifier and Alarms are only asked where the policy has a person.
	Notifier actors.Notifier
	Alarms   actors.Alarms
	Policy   *actors.Policy
	// Keep is where the conversation is kept, in Home; nil keeps nothing.
	Keep    func(*persistence.Home) *actors.Kept
	Sandbox *tools.Sandbox // nil holds nothing
	Others  actors.Others  // servers, and what is read again; hooks are above
	Sources []tools.Source // of tools that are not the program's
	Find    bool           // there is find_tools
	Environ []string
	Lsp     *language.Set      // language servers, and the clock of the tree; nil asks none
	Rules   *tools.Permissions // nil has none
	Hooks   map[string][]persistence.Hook
	Tuning  actors.Tuning
	Context actors.ContextLimits
	Files   int           // how many files the tree may count on; 0 for any number
	Wait    time.Duration // for an event; Patience if zero: more only where time is virtual
}

// Patience is how long a test waits for what must happen: far more than a busy machine
// needs. No test decides anything by a shorter time.
const Patience = 2 * time.Minute

// Tree is a running conversation, as a front end sees it.
type Tree struct {
	Client *actors.Client
	System *actors.System
	Tools  *tools.Shelf
	Seen   []messages.Envelope // everything that was read so far
	t      *testing.T
	wait   time.Duration
	rest   []messages.Envelope // read, but not yet looked at
}

// Start grows a tree and ends it with the test.
func Start(t *testing.T, setup Setup) *Tree {
	t.Helper()
	registry := &tools.Registry{}
	registry.Add(setup.Tools...)
	if setup.Find {
		registry.Add(tools.FindTool(registry))
	}
	shelf := tools.NewShelf(registry)
	for _, source := range setup.Sources {
		shelf.Add(source)
	}
	prices, err := providers.NewPrices(map[string]providers.Price{"test-model": {Input: 1, Output: 10}, "other-model": {Input: 1, Output: 10}})
	if err != nil {
		t.Fatal(err)
	}
	client := setup.HTTP
	if client == nil {
		transport := &http.Transport{}
		t.Cleanup(transport.CloseIdleConnections)
		client = &http.Client{Transport: transport}
	}
	policy := actors.Policy{Coding: true}
	if setup.Policy != nil {
		policy = *setup.Policy
	}
	connect := setup.Connect
	if connect == nil {
		connect = func(choice actors.Choice) (providers.Model, error) { return setup.connect(choice, client), nil }
	}
	choose := setup.Choose
	if choose == nil {
		choose = func(provider string) (actors.Choice, error) {
			return actors.Choice{Provider: provider, Model: "other-model"}, nil
		}
	}
	now := time.Now
	if setup.Lsp != nil {
		now = setup.Lsp.Now
	}
	home := persistence.Open(setup.Home, now)
	own, problems := hooks.New(setup.Hooks, func(name string) (string, bool) {
		tool, ok := registry.Lookup(name)
		return tool.Name, ok
	})
	for _, problem := range problems {
		t.Error(problem)
	}
	var kept *actors.Kept
	if setup.Keep != nil {
		kept = setup.Keep(home)
	}
	setup.Tuning.Shutdown = cmp.Or(setup.Tuning.Shutdown, Patience)
	system := actors.Start(actors.Config{
		Tools: shelf, Environ: setup.Environ, Version: "test", Price: prices, Files: setup.Files, Dir: setup.Start, Home: home, Languages: setup.Lsp, Words: &written.Library{Now: now}, Now: now, Tuning: setup.Tuning, Context: setup.Context,
		Audit:  persistence.Audit{Path: setup.Audit, Now: time.Now},
		Choose: choose, Models: setup.Models, About: setup.About,
		Fallback: func(failed actors.Choice) (actors.Choice, bool) {
			return actors.Choice{Provider: "copilot", Model: "other-model"}, setup.Other != nil && failed.Provider != "copilot"
		},
		Sandbox: setup.Sandbox, Permissions: setup.Rules, Others: actors.Others{Servers: setup.Others.Servers, Hooks: own, HookClient: client, Reread: setup.Others.Reread},
		Connect: connect, Notifier: setup.Notifier, Alarms: setup.Alarms,
	})
	conversation, err := system.Open(actors.Conversation{
		Choice: actors.Choice{Provider: "openai-compat", Model: "test-model"}, Dir: setup.Dir, Profile: "default", Policy: policy, Kept: kept,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := system.Stop(); err != nil {
			t.Error(err)
		}
		client.CloseIdleConnections()
	})
	return &Tree{Client: conversation, System: system, Tools: shelf, t: t, wait: cmp.Or(setup.Wait, Patience)}
}

func (setup Setup) connect(choice actors.Choice, client *http.Client) providers.Model {
	server := setup.Server
	if choice.Provider == "copilot" {
		server = setup.Other
	}
	var model providers.Model = openaichat.New(openaichat.Config{
		Provider: choice.Provider, Model: choice.Model, BaseURL: server.URL + "/v1", Key: "test-key", HTTP: client,
	})
	if setup.Wire == modeltest.Ollama {
		model = ollama.New(ollama.Config{URL: server.URL, Model: choice.Model, HTTP: client})
	}
	model = limit.Wrap(model)
	if setup.Retry {
		model = retry.Wrap(model, retry.Policy{Provider: choice.Provider}, retry.NewGate(time.Now))
	}
	return dialect.Wrap(model)
}

// Turn is everything that a turn said.
type Turn struct {
	Events []messages.Envelope
	Ended  messages.TurnEnded
}

// Prompt sends a prompt and reads until its turn ended.
func (tree *Tree) Prompt(text string) Turn {
	tree.t.Helper()
	tree.Client.Send(messages.Prompt{Text: text})
	return tree.Finish()
}

// Finish reads until the running turn ended.
func (tree *Tree) Finish() Turn {
	tree.t.Helper()
	var turn Turn
	turn.Events = tree.until(func(event messages.Event) bool {
		ended, ok := event.(messages.TurnEnded)
		turn.Ended = ended
		return ok
	})
	return turn
}

// Until reads until an event of type E and returns it.
func Until[E messages.Event](tree *Tree) E {
	tree.t.Helper()
	var found E
	tree.until(func(event messages.Event) bool {
		typed, ok := event.(E)
		if ok {
			found = typed
		}
		return ok
	})
	return found
}

func (tree *Tree) until(last func(messages.Event) bool) []messages.Envelope {
	tree.t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), tree.wait)
	defer stop()
	var seen []messages.Envelope
	for {
		for len(tree.rest) > 0 {
			envelope := tree.rest[0]
			tree.rest = tree.rest[1:]
			seen = append(seen, envelope)
			tree.Seen = append(tree.Seen, envelope)
			if last(envelope.Event) {
				return seen
			}
		}
		batch, err := tree.Client.Next(ctx)
		if errors.Is(err, io.EOF) {
			tree.t.Fatalf("the conversation closed; before that:\n%s", Lines(seen))
		}
		if err != nil {
			tree.t.Fatalf("%v while waiting; so far:\n%s", err, Lines(seen))
		}
		tree.rest = batch
	}
}

// Lines is one line of JSON per event, without times and numbers, to compare.
func Lines(envelopes []messages.Envelope) string {
	var lines strings.Builder
	for _, envelope := range envelopes {
		envelope.Seq, envelope.At = 0, time.Time{}
		if ended, ok := envelope.Event.(messages.ToolEnded); ok {
			ended.Took = 0
			envelope.Event = ended
		}
		encoded, err := envelope.MarshalJSON()
		if err != nil {
			encoded = []byte(err.Error())
		}
		lines.Write(encoded)
		lines.WriteByte('\n')
	}
	return lines.String()
}

// Of picks the events of one type from a turn.
func Of[E messages.Event](turn Turn) []E { return Pick[E](turn.Events) }

// Pick picks the events of one type.
func Pick[E messages.Event](envelopes []messages.Envelope) []E {
	var found []E
	for _, envelope := range envelopes {
		if event, ok := envelope.Event.(E); ok {
			found = append(found, event)
		}
	}
	return found
}

// Rest is what was said and not read yet, up to the end of a conversation that closed.
func (tree *Tree) Rest() []messages.Envelope {
	tree.t.Helper()
	rest := tree.rest
	tree.rest = nil
	ctx, stop := context.WithTimeout(context.Background(), tree.wait)
	defer stop()
	for {
		batch, err := tree.Client.Next(ctx)
		if errors.Is(err, io.EOF) {
			return rest
		}
		if err != nil {
			tree.t.Fatal(err)
		}
		rest = append(rest, batch...)
	}
}
