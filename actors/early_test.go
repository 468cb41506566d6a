package actors_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/files"
	"marvin/tools/language"
)

// keptPrompts is a provider with a prompt cache: a request costs the part that no earlier request
// had. It adds up the cost.
type keptPrompts struct {
	mu               sync.Mutex
	before           [][]byte
	anew             int // tokens
	expired          bool
	lastInput, saved int // of the last request: its tokens, and the cached ones
}

func (k *keptPrompts) told(script func(modeltest.Request) modeltest.Step) func(modeltest.Request) modeltest.Step {
	return func(request modeltest.Request) modeltest.Step {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.expired {
			k.before, k.expired = nil, false
		}
		known := 0
		for _, before := range k.before {
			known = max(known, common(before, request.Raw))
		}
		k.before = append(k.before, request.Raw)
		k.lastInput, k.saved = len(request.Raw)/4, known/4
		k.anew += k.lastInput - k.saved
		return script(request).WithFaults(modeltest.Tokens(k.lastInput, k.saved, 10))
	}
}

// forget makes the cache expire.
func (k *keptPrompts) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.expired = true
}

// mending is a task that reads, changes and reads a file twelve times.
func mending() (calls []modeltest.Call) {
	for i := range 12 {
		calls = append(calls,
			modeltest.Call{Name: "read_file", Args: map[string]string{"path": "a.go"}},
			modeltest.Call{Name: "mend_a", Args: map[string]any{"number": i}})
	}
	return calls
}

// edit changes a.go in dir.
func edit(t *testing.T, dir string) tools.Tool {
	type args struct {
		Number int `json:"number" doc:"How often it was changed"`
	}
	return tools.New(tools.Def[args]{Name: "mend_a", Doc: "Change a.go.", Needs: tools.Needs{Coding: true}, Core: true, Run: func(_ context.Context, _ tools.Env, in args) (tools.Output, error) {
		write(t, filepath.Join(dir, "a.go"), strings.Repeat(fmt.Sprintf("version %d of a line of code\n", in.Number+1), 330))
		return tools.Output{Text: "changed"}, nil
	}})
}

// noon is noon of today, which is far enough from midnight for the tests.
func noon() time.Time {
	year, month, day := time.Now().Date()
	return time.Date(year, month, day, 12, 0, 0, 0, time.Local)
}

func TestRereadContentIsPrunedOnceCacheExpires(t *testing.T) {
	dir, now := t.TempDir(), noon()
	write(t, filepath.Join(dir, "a.go"), strings.Repeat("version 0 of a line of code\n", 330))
	cache := &keptPrompts{}
	server := modeltest.StartFunc(t, cache.told(then(mending()...)))
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Home: t.TempDir(), Dir: dir, Policy: &actors.Policy{Coding: true}, Tools: append(files.Tools(), edit(t, dir)),
		Lsp: &language.Set{Now: func() time.Time { return now }},
	})
	tree.Prompt("mend it")
	whole := cache.lastInput
	if cache.anew > whole+25 { // rounding may lose a token per request
		t.Errorf("%d tokens were read again for a conversation of %d", cache.anew, whole)
	}
	now = now.Add(time.Hour)
	cache.forget()
	tree.Prompt("go on")
	if 2*cache.lastInput > whole {
		t.Errorf("%d tokens of %d are read again", cache.lastInput, whole)
	}
	last := server.Requests()[len(server.Requests())-1].Messages
	if newest := last[len(last)-5].Result.Text; !strings.Contains(newest, "version 11 of") {
		t.Errorf("what was read last is not in view: %.200q", newest)
	}
}

func TestOldResultsLeaveWithACacheThatExpired(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	cache := &keptPrompts{}
	number := 0
	logs := tools.New(tools.Def[struct{}]{Name: "logs", Doc: "Show the next log.", Needs: tools.Needs{Coding: true}, Core: true, Run: func(context.Context, tools.Env, struct{}) (tools.Output, error) {
		number++
		return tools.Output{Text: strings.Repeat(fmt.Sprintf("log %d says that all is well\n", number), 1000)}, nil
	}})
	calls := make([]modeltest.Call, 20)
	for i := range calls {
		calls[i] = modeltest.Call{Name: "logs"}
	}
	server := modeltest.StartFunc(t, cache.told(then(calls...)))
	now := noon()
	setup := actorstest.Setup{
		Server: server, Home: home, Dir: dir, Policy: &actors.Policy{Coding: true, Person: true}, Tools: append(files.Tools(), logs), Keep: begins,
		Lsp: &language.Set{Now: func() time.Time { return now }},
	}
	tree := actorstest.Start(t, setup)
	tree.Prompt("look at the logs")
	whole := cache.lastInput
	tree.Prompt("and?")
	if cache.lastInput < whole || cache.lastInput-cache.saved > 500 {
		t.Errorf("while it is kept, %d of %d tokens are read again, before it were %d", cache.lastInput-cache.saved, cache.lastInput, whole)
	}
	if err := tree.System.Stop(); err != nil {
		t.Fatal(err)
	}

	now = now.Add(time.Hour)
	cache.forget()
	setup.Keep = goesOn(t)
	tree = actorstest.Start(t, setup)
	first := tree.Prompt("now say what they say")
	if told := fmt.Sprint(actorstest.TurnEvents[messages.Notice](first)); !strings.Contains(told, "old results (") {
		t.Errorf("people are told %s", told)
	}
	if 3*cache.lastInput > 2*whole {
		t.Errorf("%d tokens are read again, before were %d", cache.lastInput, whole)
	}
	tree.Prompt("thanks")
	if cache.lastInput-cache.saved > 500 {
		t.Errorf("then %d of %d tokens are read again", cache.lastInput-cache.saved, cache.lastInput)
	}
	results := server.Requests()[len(server.Requests())-1].Messages
	var left string
	for _, message := range results {
		if strings.Contains(message.Result.Text, "left the view") {
			left = message.Result.Text
			break
		}
	}
	address, _, _ := strings.Cut(strings.TrimPrefix(left[strings.Index(left, "artifact:"):], "artifact:"), `"`)
	list, err := sessions.New(persistence.Open(home, time.Now)).List()
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	kept, err := os.ReadFile(filepath.Join(home, ".local", "share", "marvin", "artifacts", list[0].ID, address+".txt"))
	if err != nil || !strings.HasPrefix(string(kept), "log 1 says") {
		t.Errorf("%q: %.100q %v", left, kept, err)
	}
}
