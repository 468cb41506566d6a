package actors_test

import (
	"context"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/mcp"
	"marvin/tools/toolbox"
)

// played is a simulated server with this behavior; see tools/mcp/mcptest.
func played(how string, reads ...string) settings.Server {
	return settings.Server{Command: []string{os.Args[0]}, Env: map[string]string{"MCP_PLAYS": how}, Free: true, Reads: reads}
}

// known stores the tools of a server, as marvin mcp add does.
func known(t *testing.T, home string, name string, server settings.Server) {
	t.Helper()
	session, err := mcp.Connect(t.Context(), name, server, mcp.Ground{Version: "test", Environ: os.Environ(), Dir: t.TempDir(), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if _, err := mcp.RecordManifest(t.Context(), persistence.Open(home, time.Now), session, true); err != nil {
		t.Fatal(err)
	}
}

// speaking calls the server's tool with the text of the prompt, and answers with the result.
func speaking(t *testing.T, setup actorstest.Setup) *actorstest.Tree {
	t.Helper()
	setup.Server = modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		last := request.Last()
		switch {
		case last.Role == messages.Tool && strings.HasPrefix(last.Result.Text, "1. mcp_office_run_command"):
			return modeltest.Calls(modeltest.Call{Name: "mcp_office_run_command", Args: sayArgs{Text: "found"}})
		case last.Role == messages.Tool:
			return modeltest.Text(messages.Unframe(last.Result.Text))
		case strings.Contains(prompted(request), "find"):
			return modeltest.Calls(modeltest.Call{Name: "find_tools", Args: map[string]string{"query": "says the text again"}})
		}
		return modeltest.Calls(modeltest.Call{Name: "mcp_office_run_command", Args: sayArgs{Text: prompted(request)}})
	})
	setup.Environ = os.Environ()
	if setup.Home == "" {
		setup.Home = t.TempDir()
	}
	if setup.Policy == nil {
		setup.Policy = &actors.Policy{Coding: true}
	}
	start := t.TempDir()
	setup.Config, setup.Dir = func(config *actors.Config) { config.Dir = start }, t.TempDir()
	return actorstest.Start(t, setup)
}

func TestServersAreStartedWhenTheyAreWanted(t *testing.T) {
	home := t.TempDir()
	all := map[string]settings.Server{"office": played("banner", "*"), "hangs": played("hangs"), "dies": played("dies"), "slow": played("slow")}
	known(t, home, "office", all["office"])
	tree := speaking(t, actorstest.Setup{Home: home, Others: actors.Extensions{Servers: all}})
	if states := tree.System.Servers.States(t.Context(), ""); len(states) != 4 || states[2].State != "not started" || states[2].Tools != 1 || !states[2].Looked || states[0].Looked {
		t.Errorf("%+v", states)
	}
	if turn := tree.Prompt("hello"); turn.Ended.Text != "said: hello" {
		t.Errorf("%+v", turn.Ended)
	}
	states := tree.System.Servers.States(t.Context(), "office")
	if len(states) != 1 || states[0].State != "running" || !strings.Contains(states[0].Log, "Welcome") {
		t.Errorf("%+v", states)
	}
	if err := tree.System.Servers.Restart(t.Context(), "dies"); err == nil || !strings.Contains(err.Error(), "no key was given") {
		t.Errorf("%v", err)
	}
	if turn := tree.Prompt("again"); turn.Ended.Text != "said: again" {
		t.Errorf("%+v", turn.Ended)
	}
}

func TestASearchStartsServersOfWhichNothingIsKnown(t *testing.T) {
	tree := speaking(t, actorstest.Setup{Others: actors.Extensions{Servers: map[string]settings.Server{"office": played("well", "*")}}, Tools: many(), Find: true})
	if turn := tree.Prompt("find it"); turn.Ended.Text != "said: found" {
		t.Errorf("%+v", turn.Ended)
	}
}

// A call that only reads is repeated if its server dies; for any other call the model is told that
// the effect is unknown. The server restarts by itself.
func TestAServerThatDiesUnderACallComesBack(t *testing.T) {
	home := t.TempDir()
	all := map[string]settings.Server{"office": played("once", "*")}
	all["office"].Env["ONCE_FILE"] = t.TempDir() + "/once"
	known(t, home, "office", all["office"])
	tree := speaking(t, actorstest.Setup{Home: home, Others: actors.Extensions{Servers: all}})
	turn := tree.Prompt("die")
	if turn.Ended.Text != "said: die" {
		t.Errorf("%+v", turn.Ended)
	}
	home = t.TempDir()
	server := played("once")
	server.Env["ONCE_FILE"] = t.TempDir() + "/once"
	known(t, home, "office", server)
	tree = speaking(t, actorstest.Setup{Home: home, Others: actors.Extensions{Servers: map[string]settings.Server{"office": server}}})
	if turn := tree.Prompt("die"); !strings.Contains(turn.Ended.Text, "unknown") || !strings.Contains(turn.Ended.Text, "lost") {
		t.Errorf("%+v", turn.Ended)
	}
	for limit := time.Now().Add(actorstest.Patience); ; time.Sleep(10 * time.Millisecond) {
		if states := tree.System.Servers.States(t.Context(), "office"); states[0].State == "running" {
			break
		}
		if time.Now().After(limit) {
			t.Fatal("it does not come back")
		}
	}
}

func TestAToolThatDescribesItselfOtherwiseIsAsked(t *testing.T) {
	home := t.TempDir()
	before := played("well", "*")
	known(t, home, "office", before)
	after := played("swapped", "*") // values of variables may change: it is the same entry
	if before.Hash() != after.Hash() {
		t.Fatal("it is another entry")
	}
	tree := speaking(t, actorstest.Setup{Home: home, Others: actors.Extensions{Servers: map[string]settings.Server{"office": after}}})
	if err := tree.System.Servers.Restart(t.Context(), "office"); err != nil {
		t.Fatal(err)
	}
	if turn := tree.Prompt("hello"); !strings.Contains(turn.Ended.Text, "differs from the approved one") {
		t.Errorf("with nobody there: %+v", turn.Ended)
	}
	tree = speaking(t, actorstest.Setup{Home: home, Others: actors.Extensions{Servers: map[string]settings.Server{"office": after}}, Policy: &actors.Policy{Coding: true, Person: true}})
	if err := tree.System.Servers.Restart(t.Context(), "office"); err != nil {
		t.Fatal(err)
	}
	for _, answer := range []string{"do not use it", "use it"} {
		tree.Client.Send(messages.Say("hello"))
		asked := actorstest.ReadUntil[messages.Asked](tree)
		if !strings.Contains(asked.Detail, "~/.ssh/id_rsa") {
			t.Fatalf("asked %+v", asked)
		}
		tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes, Chosen: []messages.Chosen{{Options: []string{answer}}}})
		turn := tree.Finish()
		if used := turn.Ended.Text == "said: hello"; used != (answer == "use it") {
			t.Errorf("%s: %+v", answer, turn.Ended)
		}
	}
	if turn := tree.Prompt("once more"); turn.Ended.Text != "said: once more" {
		t.Errorf("approved: %+v", turn.Ended)
	}
}

// A call that the user cancels ends in the server, and the server continues.
func TestACancelledCallLeavesItsServerAlive(t *testing.T) {
	home := t.TempDir()
	all := map[string]settings.Server{"office": played("well", "*")}
	known(t, home, "office", all["office"])
	tree := speaking(t, actorstest.Setup{Home: home, Others: actors.Extensions{Servers: all}})
	tree.Client.Send(messages.Say("wait"))
	actorstest.ReadUntil[messages.ToolStarted](tree)
	tree.Client.Send(messages.Cancel{})
	if turn := tree.Finish(); turn.Ended.Outcome != messages.Cancelled {
		t.Errorf("%+v", turn.Ended)
	}
	if turn := tree.Prompt("hello"); turn.Ended.Text != "said: hello" {
		t.Errorf("%+v", turn.Ended)
	}
}

// A server whose tools changed is asked for them once for all changes within a moment, and a new
// tool waits for the user's approval.
func TestAServerThatChangesItsToolsIsLookedAtOnce(t *testing.T) {
	home := t.TempDir()
	all := map[string]settings.Server{"office": played("well", "*")}
	known(t, home, "office", all["office"])
	tree := speaking(t, actorstest.Setup{Home: home, Others: actors.Extensions{Servers: all}})
	tree.Prompt("grow")
	for limit := time.Now().Add(actorstest.Patience); ; time.Sleep(10 * time.Millisecond) {
		states := tree.System.Servers.States(t.Context(), "office")
		_, there := tree.Tools.Snapshot().Lookup("mcp_office_grown") // the saved state is shown first
		if there && len(states[0].Unapproved) == 1 && states[0].Unapproved[0] == "grown" {
			break
		}
		if time.Now().After(limit) {
			t.Fatalf("the new tool is not known, or not on the shelf: %t", there)
		}
	}
	looks := func() int {
		t.Helper()
		turn := tree.Prompt("looks")
		times, err := strconv.Atoi(strings.TrimPrefix(turn.Ended.Text, "said: "))
		if err != nil {
			t.Fatalf("%+v", turn.Ended)
		}
		return times
	}
	before := looks()
	tree.Prompt("noise")
	for limit := time.Now().Add(actorstest.Patience); looks() == before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("no one looked at what changed")
		}
	}
	// If Marvin asked once for each change, the requests would follow now, one after the other.
	for range 20 {
		if times := looks() - before; times > 10 {
			t.Fatalf("it was asked %d times", times)
		}
	}
}

func TestHostileResultsOfAServer(t *testing.T) {
	home := t.TempDir()
	all := map[string]settings.Server{"office": played("well", "*")}
	known(t, home, "office", all["office"])
	tree := speaking(t, actorstest.Setup{Home: home, Others: actors.Extensions{Servers: all}, Policy: &actors.Policy{Coding: true, Person: true}})
	turn := tree.Prompt("ansi")
	if strings.Contains(turn.Ended.Text, "\U000E0041") || !strings.Contains(turn.Ended.Text, "invisible characters were removed") {
		t.Errorf("%q", turn.Ended.Text)
	}
	for _, event := range turn.Events {
		if ended, ok := event.Event.(messages.ToolEnded); ok && strings.Contains(ended.Summary, "\x1b") {
			t.Errorf("the summary steers the terminal: %q", ended.Summary)
		}
	}
	tree.Client.Send(messages.Say("ask on"))
	for range 3 {
		asked := actorstest.ReadUntil[messages.Asked](tree)
		tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes, Values: map[string]any{"ok": true}})
	}
	if turn := tree.Finish(); len(actorstest.TurnEvents[messages.Asked](turn)) > 3 {
		t.Errorf("it asked %d times", len(actorstest.TurnEvents[messages.Asked](turn)))
	}
}

// Two servers whose tools have the same names stay separate.
func TestTwoServersWithOneName(t *testing.T) {
	home := t.TempDir()
	all := map[string]settings.Server{"a_run": played("well"), "a": played("well")}
	for name, server := range all {
		known(t, home, name, server)
	}
	tree := speaking(t, actorstest.Setup{Home: home, Others: actors.Extensions{Servers: all}})
	var names []string
	for _, tool := range tree.Tools.Snapshot().All() {
		names = append(names, tool.Name)
	}
	if got := strings.Join(names, " "); got != "mcp_a_run_command mcp_a_run_run_command" {
		t.Errorf("%s", got)
	}
}

// The time that Marvin itself adds to a call: one message and two pipes.
func BenchmarkCallOfAServer(b *testing.B) {
	server := played("well", "*")
	session, err := mcp.Connect(b.Context(), "office", server, mcp.Ground{Version: "test", Environ: os.Environ(), Dir: b.TempDir(), Now: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	defer session.Close()
	for b.Loop() {
		if _, err := session.Call(context.Background(), tools.Env{}, "run_command", json.RawMessage(`{"text":"x"}`)); err != nil {
			b.Fatal(err)
		}
	}
}

// The schemas of a thousand foreign tools take less than 8,000 tokens of a conversation.
func TestAThousandForeignToolsCostFewTokens(t *testing.T) {
	var source toolbox.Source
	source.Name = "MCP server big"
	for i := range 1000 {
		source.Tools = append(source.Tools, foreigner(t, "big", "tool "+strconv.Itoa(i)))
	}
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("hello") })
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: many(), Find: true, Sources: []toolbox.Source{source}, Policy: &actors.Policy{Coding: true}})
	tree.Prompt("hello")
	if got := tools.EstimateTokens(string(server.Requests()[0].Raw)); got > 8000 {
		t.Errorf("%d tokens", got)
	}
}
