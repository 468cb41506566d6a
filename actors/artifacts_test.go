package actors_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/artifacts"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/files"
)

// pages is a tool that returns untrusted text of the requested length.
func pages() tools.Tool {
	return tools.New(tools.Def[struct{}]{Name: "page", Doc: "Read a page.", Needs: tools.Needs{Coding: true}, Core: true, Pool: tools.Net, Brings: tools.Strangers, Run: func(context.Context, tools.Env, struct{}) (tools.Output, error) {
		var text strings.Builder
		for i := range 40_000 {
			fmt.Fprintf(&text, "line %d\n", i+1)
		}
		return tools.Output{Text: text.String()}, nil
	}})
}

// then answers a prompt with calls, one per round, and then with "done".
func then(calls ...modeltest.Call) func(modeltest.Request) modeltest.Step {
	return func(request modeltest.Request) modeltest.Step {
		results := 0
		for _, message := range request.Messages {
			if message.Role == messages.Tool {
				results++
			}
		}
		if results < len(calls) {
			return modeltest.Calls(calls[results])
		}
		return modeltest.Text("done")
	}
}

// The part of a result that is cut off becomes an artifact. It stays untrusted, and is deleted with
// a conversation that is not stored.
func TestCutResultBecomesArtifact(t *testing.T) {
	home := t.TempDir()
	server := modeltest.StartFunc(t, then(modeltest.Call{Name: "page"}, modeltest.Call{Name: "read_file", Args: `{"path":"artifact:1:20000-20001"}`}, modeltest.Call{Name: "read_file", Args: `{"path":"history:1"}`}))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Dir: t.TempDir(), Policy: &actors.Policy{Coding: true}, Tools: append(files.Tools(), pages())})
	first := actorstest.TurnEvents[messages.ToolEnded](tree.Prompt("read"))[0].Text
	before, file, _ := strings.Cut(first, "[all 40000 lines (428894 bytes) are stored as artifact:1: read_file {\"path\": \"artifact:1\", \"start_line\": 1197} or code_grep {\"path\": \"artifact:1\", \"pattern\": …}; in commands, use the path ")
	file, ended := strings.CutSuffix(file, "; do not run the command again to see the output]\n")
	if before == "" || !ended || !strings.HasPrefix(file, filepath.Join(home, ".local", "share", "marvin", "artifacts")) || filepath.Base(file) != "1.txt" {
		t.Errorf("%s", first[max(0, len(first)-400):])
	}
	last := server.Requests()[len(server.Requests())-1]
	results := []string{}
	for _, message := range last.Messages {
		if message.Role == messages.Tool {
			results = append(results, message.Result.Text)
		}
	}
	if !strings.Contains(results[1], "20000. line 20000\n20001. line 20001\n") || messages.Unframe(results[1]) == results[1] {
		t.Errorf("not told as a stranger's: %s", results[1])
	}
	if err := tree.System.Stop(); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(filepath.Join(home, ".local", "share", "marvin", "artifacts"))
	if err != nil || len(left) != 0 {
		t.Errorf("%v left, %v", left, err)
	}
}

// A picture in a result is stored once, and the stored picture is shown again even if its file has
// changed.
func TestPicturesOfResultsAreKeptAndShownAgain(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "dot.gif"), dot.Data, 0o600); err != nil {
		t.Fatal(err)
	}
	calls := []modeltest.Call{
		{Name: "read_file", Args: `{"path":"dot.gif"}`},
		{Name: "read_file", Args: `{"path":"./dot.gif"}`},
		{Name: "gone"},
		{Name: "read_file", Args: `{"path":"artifact:1"}`},
	}
	gone := tools.New(tools.Def[struct{}]{Name: "gone", Doc: "Take the picture away.", Needs: tools.Needs{Coding: true}, Core: true, Run: func(context.Context, tools.Env, struct{}) (tools.Output, error) {
		return tools.Output{Text: "gone"}, os.Remove(filepath.Join(dir, "dot.gif"))
	}})
	server := modeltest.StartFunc(t, then(calls...))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: t.TempDir(), Dir: dir, Policy: &actors.Policy{Coding: true}, Tools: append(files.Tools(), gone), Models: actors.Models{Properties: sees(true)}})
	ended := actorstest.TurnEvents[messages.ToolEnded](tree.Prompt("look"))
	for i, want := range map[int]string{0: "42 bytes]\n[the picture is stored as artifact:1: read_file shows it again]\n", 1: "stored as artifact:1", 3: "[artifact:1 is a picture (GIF, 1×1 pixels), 42 bytes]\n"} {
		if !strings.Contains(ended[i].Text, want) {
			t.Errorf("call %d: %q, want %q", i, ended[i].Text, want)
		}
		if len(ended[i].Images) != 1 || ended[i].Images[0].Type != "image/gif" {
			t.Errorf("call %d has %d pictures to draw", i, len(ended[i].Images))
		}
	}
	if strings.Contains(ended[3].Text, "kept as") {
		t.Errorf("%q", ended[3].Text)
	}
	requests := server.Requests()
	if last := requests[len(requests)-1].Last(); len(last.Pictures) != 1 || last.Pictures[0].Type != "image/gif" {
		t.Errorf("it is not shown again: %+v", last)
	}
}

// A sub-agent can read the artifacts of its caller's conversation, but not those of another one, by
// address or by path.
func TestASubAgentReadsNoArtifactOfAnotherConversation(t *testing.T) {
	home := t.TempDir()
	other := artifacts.New(persistence.Open(home, time.Now), "other")
	for _, about := range []artifacts.Artifact{{}, {Name: "agent:spy"}} {
		if _, err := other.Put(about, []byte("a secret of another conversation "+about.Name+"\n")); err != nil {
			t.Fatal(err)
		}
	}
	var calls []modeltest.Call
	for _, path := range []string{
		"artifact:1:20000-20001", "artifact:2", "artifact:other/1", "artifact:../other/1", "artifact:1/../../other/1", "artifact://other/1", "agent:spy", "agent:../other/1",
		"artifact:-1", "artifact:0", filepath.Join(other.Dir(), "1.txt"), "file://" + filepath.Join(other.Dir(), "1.txt"), "~/.local/share/marvin/artifacts/other/1.txt", other.Dir() + "/index.jsonl",
	} {
		calls = append(calls, modeltest.Call{Name: "read_file", Args: map[string]string{"path": path}})
	}
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if prompted(request) == "go" {
			return then(modeltest.Call{Name: "page"}, modeltest.Call{Name: "delegate"})(request)
		}
		if request.Last().Role == messages.Tool {
			return modeltest.Text("done")
		}
		return modeltest.Calls(calls...)
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Dir: t.TempDir(), Policy: &actors.Policy{Coding: true}, Tools: append(files.Tools(), pages(), delegate(1, 1, nil))})
	if ended := tree.Prompt("go").Ended; ended.Text != "done" {
		t.Fatalf("%+v", ended)
	}
	var results []string
	for _, request := range server.Requests() {
		if prompted(request) == "go" || len(request.Messages) < len(calls) {
			continue
		}
		for _, message := range request.Messages {
			if message.Role == messages.Tool {
				results = append(results, message.Result.Text)
			}
		}
	}
	if len(results) != len(calls) || !strings.Contains(results[0], "20000. line 20000\n") {
		t.Fatalf("%d results of %d: %.300q", len(results), len(calls), results)
	}
	for i, result := range results[1:] {
		if strings.Contains(result, "secret") || strings.Contains(result, "line 1\n") {
			t.Errorf("%s: %s", calls[i+1].Args, result)
		}
	}
}
