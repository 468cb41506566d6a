package actors_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/files"
	"marvin/tools/toolbox"
)

func TestASmallWindowIsKeptForTheConversation(t *testing.T) {
	words := map[string]string{
		".marvin/spec.md": strings.Repeat("A spec. ", 3000), ".marvin/design.md": strings.Repeat("A design. ", 3000),
		"CLAUDE.md": strings.Repeat("For Claude. ", 400), "AGENTS.md": strings.Repeat("For all. ", 500), ".marvin/AGENTS.md": "short-one",
	}
	for i := range 60 {
		words[fmt.Sprintf(".marvin/skills/skill-%d/SKILL.md", i)] = fmt.Sprintf("---\ndescription: %s\n---\n", strings.Repeat("what it does ", 20))
	}
	dir := inRepository(t, words)
	for _, window := range []int{4096, 8192, 0} {
		system := 0
		server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
			system = len(request.Messages[0].Text)
			return modeltest.Text("done")
		})
		tree := actorstest.Start(t, actorstest.Setup{
			Server: server, Dir: dir, Tools: files.Tools(), Policy: &actors.Policy{Coding: true},
			Models: actors.Models{Properties: func(actors.Choice) providers.About { return providers.About{Window: window} }},
		})
		for range 2 {
			if turn := tree.Prompt("hello"); turn.Ended.Outcome != messages.Completed {
				t.Fatalf("%d: %+v", window, turn.Ended)
			}
		}
		states := windowOf(t, tree)
		if window == 0 {
			if system < 60_000 || states["instructions AGENTS.md"].State != "loaded" {
				t.Errorf("a window that is not known: %d bytes, %+v", system, states["instructions AGENTS.md"])
			}
			continue
		}
		if system > window*4*55/100 {
			t.Errorf("%d: %d bytes of system text leave no room", window, system)
		}
		for _, name := range []string{"instructions AGENTS.md", "document .marvin/spec.md", "skill skill-7"} {
			if part := states[name]; part.State != "shortened" || !strings.Contains(part.Why, "bytes") {
				t.Errorf("%d: %s is %s: %s", window, name, part.State, part.Why)
			}
		}
		if part := states["instructions .marvin/AGENTS.md"]; part.State != "loaded" || part.Tokens == 0 {
			t.Errorf("%d: what is short stays whole: %+v", window, part)
		}
	}
}

func TestASmallWindowIsSentFewerTools(t *testing.T) {
	requests := make(chan modeltest.Request, 10)
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		requests <- request
		return modeltest.Text("done")
	})
	window := 4096
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Dir: inRepository(t, nil), Tools: manyTools(), Policy: &actors.Policy{Coding: true},
		Models: actors.Models{Properties: func(actors.Choice) providers.About { return providers.About{Window: window} }},
	})
	before := windowOf(t, tree)
	var first []string
	for range 2 {
		tree.Prompt("hello")
		request := <-requests
		var names []string
		for _, tool := range request.Tools {
			names = append(names, tool.Name)
		}
		if !slices.Contains(names, "read_file") || !slices.Contains(names, "find_tools") || slices.Contains(names, "large_one") {
			t.Errorf("%q", names)
		}
		if !strings.Contains(request.Messages[0].Text, "more tools: call find_tools") {
			t.Error("the model is not told that there are more")
		}
		if first != nil && !slices.Equal(first, names) {
			t.Errorf("%q became %q", first, names)
		}
		first = names
	}
	if part := before["tool large_one"]; part.State != "waits" || part.Tokens != 0 || !strings.Contains(part.Why, "4096 tokens") {
		t.Errorf("%+v", part)
	}
	if part := before["tool read_file"]; part.State != "shortened" || part.Tokens == 0 {
		t.Errorf("%+v", part)
	}
}

// manyTools are tools for files, a search, one that does not fit a small window, and so many others
// that not all are sent.
func manyTools() []tools.Tool {
	type argument struct {
		Text string `json:"text" doc:"What it is about"`
	}
	tool := func(name, doc string, core bool) tools.Tool {
		return tools.New(tools.Def[argument]{Name: name, Doc: doc, Core: core, Run: func(context.Context, tools.Env, argument) (tools.Output, error) { return tools.Output{}, nil }})
	}
	all := append(files.Tools(), tool("large_one", strings.Repeat("very long words about it, ", 200), true))
	for i := range toolbox.OfferLimit {
		all = append(all, tool(fmt.Sprintf("other_%d", i), "Another.", false))
	}
	registry := &toolbox.Registry{}
	registry.Add(all...)
	return append(all, toolbox.FindTool(registry))
}
