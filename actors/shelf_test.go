package actors_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// foreigner is a tool of a server that repeats its arguments.
func foreigner(t *testing.T, server, name string) tools.Tool {
	t.Helper()
	tool, err := tools.Raw(tools.Definition{
		Name: toolbox.ForeignName("mcp", server, name), Doc: "Files a report with the " + server + ".", Server: server,
		Schema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
		Run: func(_ context.Context, _ tools.Env, arguments json.RawMessage) (tools.Output, error) {
			return tools.Output{Text: "filed " + string(arguments)}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// many returns more tools than a request can carry.
func many() (list []tools.Tool) {
	for i := range toolbox.OfferLimit + 5 {
		list = append(list, tool(fmt.Sprint("own_", i), func(context.Context, tools.Env) (tools.Output, error) { return tools.Output{}, nil }))
	}
	return list
}

func TestAConversationKeepsTheToolsItBeganWith(t *testing.T) {
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		last := request.Last()
		switch {
		case last.Role == messages.Tool && strings.Contains(last.Result.Text, "mcp_office_report"):
			return modeltest.Calls(modeltest.Call{Name: "mcp_office_report", Args: sayArgs{Text: "late"}})
		case last.Role == messages.Tool:
			return modeltest.Text(last.Result.Text)
		case strings.Contains(prompted(request), "report"):
			return modeltest.Calls(modeltest.Call{Name: "find_tools", Args: map[string]string{"query": "file a report with the office"}})
		}
		return modeltest.Text("hello")
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Tools: many(), Find: true, Policy: &actors.Policy{Coding: true}})
	tree.Prompt("hello")
	tree.Tools.Add(toolbox.Source{Name: "MCP server office", Tools: []tools.Tool{foreigner(t, "office", "report")}})
	if turn := tree.Prompt("file a report"); !strings.Contains(turn.Ended.Text, `filed {"text":"late"}`) {
		t.Fatalf("%+v", turn.Ended)
	}
	tree.Tools.Drop("MCP server office")
	tree.Prompt("hello again")
	requests := server.Requests()
	first := growing(t, requests[0].Raw)
	told := false
	if now := growing(t, requests[1].Raw); common(first, now) < len(first)*97/100 {
		t.Errorf("the second request begins otherwise:\n%s\n%s", first, now)
	}
	for _, request := range requests {
		told = told || strings.Contains(string(request.Raw), "MCP server office (1)")
	}
	if !told {
		t.Error("the model was not told that there are tools of others")
	}
	if strings.Contains(string(requests[1].Raw), `"mcp_office_report"`) {
		t.Error("it was sent before it was found")
	}
}

// A turn keeps the tools with which it began, even if all of them are removed meanwhile.
func TestATurnKeepsItsTools(t *testing.T) {
	var tree *actorstest.Tree
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if last := request.Last(); last.Role == messages.Tool {
			return modeltest.Text(last.Result.Text)
		}
		tree.Tools.Drop("MCP server office")
		return modeltest.Calls(modeltest.Call{Name: "mcp_office_report", Args: sayArgs{Text: "now"}})
	})
	tree = actorstest.Start(t, actorstest.Setup{Server: server, Sources: []toolbox.Source{{Name: "MCP server office", Tools: []tools.Tool{foreigner(t, "office", "report")}}}})
	if turn := tree.Prompt("report"); !strings.Contains(turn.Ended.Text, "filed") {
		t.Errorf("the turn lost its tool: %+v", turn.Ended)
	}
	if turn := tree.Prompt("report"); strings.Contains(turn.Ended.Text, "filed") {
		t.Errorf("the next turn still has it: %+v", turn.Ended)
	}
}

// Consent, rules, taint and the order of a reply apply to a server's tool without additional code.
func TestAForeignToolIsAskedAboutAndTaints(t *testing.T) {
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if last := request.Last(); last.Role == messages.Tool {
			return modeltest.Text(last.Result.Text)
		}
		return modeltest.Calls(modeltest.Call{Name: "mcp_office_report", Args: sayArgs{Text: prompted(request)}})
	})
	source := toolbox.Source{Name: "MCP server office", Tools: []tools.Tool{foreigner(t, "office", "report")}}
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Sources: []toolbox.Source{source}, Policy: &actors.Policy{Person: true}})
	tree.Client.Send(messages.Say("one"))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	if !strings.Contains(asked.Detail, "one") || !strings.Contains(asked.Detail, "not part of Marvin") || asked.Always == "" {
		t.Errorf("asked %+v", asked)
	}
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Always})
	if turn := tree.Finish(); !strings.Contains(messages.Unframe(turn.Ended.Text), "filed") {
		t.Fatalf("%+v", turn.Ended)
	}
	if requests := server.Requests(); !slices.ContainsFunc(requests, func(r modeltest.Request) bool {
		last := r.Last()
		return last.Role == messages.Tool && last.Result.Text != messages.Unframe(last.Result.Text)
	}) {
		t.Error("its result reached the model without a frame around a stranger's words")
	}
	tree.Client.Send(messages.Say("two"))
	asked = actorstest.ReadUntil[messages.Asked](tree)
	if !strings.Contains(asked.Detail, "two") || !strings.Contains(asked.Detail, "brought in untrusted or private text") {
		t.Errorf("after its own result it is not asked about: %+v", asked)
	}
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.No})
	tree.Finish()
}
