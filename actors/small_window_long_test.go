package actors_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/tools/files"
)

// A conversation of twenty prompts fits a window of 4,096 tokens although its instructions take
// their full share: no request exceeds the window, each begins with the bytes of the previous one
// until the conversation is summarized, the instructions stay cut in the same way and say so, and
// the last answer is as good as the first.
func TestALongConversationInASmallWindow(t *testing.T) {
	const window, prompts = 4096, 20
	dir := inRepository(t, map[string]string{
		"AGENTS.md": "mark-root " + strings.Repeat("For all. ", 600), "CLAUDE.md": "mark-claude " + strings.Repeat("For Claude. ", 500),
		".marvin/AGENTS.md": "mark-short", ".marvin/RULES.md": "mark-rule", "notes.txt": strings.Repeat("A line of notes.\n", 40),
	})
	var requests []modeltest.Request
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		requests = append(requests, request)
		switch {
		case strings.Contains(request.Messages[0].Text, "mark-root") && request.Last().Role != messages.Tool && strings.Contains(prompted(request), "read"):
			return modeltest.Calls(modeltest.Call{Name: "read_file", Args: map[string]string{"path": "notes.txt"}})
		case !strings.Contains(request.Messages[0].Text, "mark-root"):
			return modeltest.Text("They talked about notes.") // a summary
		}
		return modeltest.Text(strings.Repeat("An answer of some length. ", 12))
	}).Window(window * 4)
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Dir: dir, Tools: files.Tools(), Policy: &actors.Policy{Coding: true},
		Models: actors.Models{Properties: func(actors.Choice) providers.About { return providers.About{Window: window} }},
	})
	compacted := 0
	for i := range prompts {
		text := fmt.Sprintf("prompt %d: %s", i, strings.Repeat("say more ", 8))
		if i%4 == 3 {
			text = fmt.Sprintf("prompt %d: read the notes", i)
		}
		turn := tree.Prompt(text)
		if turn.Ended.Outcome != messages.Completed {
			t.Fatalf("prompt %d: %+v", i, turn.Ended)
		}
		compacted += len(actorstest.Pick[messages.Compacted](turn.Events))
		for _, used := range actorstest.Pick[messages.UsageChanged](turn.Events) {
			if used.Context.Used > used.Context.Limit || used.Context.Limit > window {
				t.Errorf("prompt %d: %+v", i, used.Context)
			}
		}
	}
	if compacted == 0 || compacted > prompts/2 {
		t.Errorf("it was summarized %d times", compacted)
	}
	kept, broken := 0, 0
	var before []string
	system := requests[0].Messages[0].Text
	for _, request := range requests {
		if request.Messages[0].Text != system { // the request for a summary
			if strings.Contains(request.Messages[0].Text, "mark-root") {
				t.Error("the system text changed within the conversation")
			}
			continue
		}
		now := bytesOf(t, request)
		if before != nil && len(now) >= len(before) && slices.Equal(now[:len(before)], before) {
			kept++
		} else if before != nil {
			broken++
		}
		before = now
	}
	if broken > compacted || kept < prompts-broken {
		t.Errorf("%d requests begin as the one before, %d do not, and there were %d summaries", kept, broken, compacted)
	}
	if !strings.Contains(system, "mark-short") || !strings.Contains(system, "mark-claude") {
		t.Error("a file is not reported")
	}
	states := windowOf(t, tree)
	for name, state := range map[string]string{"instructions AGENTS.md": "shortened", "instructions CLAUDE.md": "shortened", "instructions .marvin/AGENTS.md": "loaded", "sticky .marvin/RULES.md": "loaded"} {
		if part := states[name]; part.State != state || part.Tokens == 0 || state == "shortened" && !strings.Contains(part.Why, "where the window has") {
			t.Errorf("%s is %+v", name, part)
		}
	}
	total := 0
	for _, part := range states {
		total += part.Tokens
	}
	if total > window {
		t.Errorf("in the end %d tokens are in a window of %d", total, window)
	}
}

// bytesOf returns the messages and tools of a request, each as it was sent.
func bytesOf(t *testing.T, request modeltest.Request) []string {
	t.Helper()
	var all []string
	add := func(value any) {
		data, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(data))
	}
	for _, tool := range request.Tools {
		add(tool)
	}
	for _, message := range request.Messages {
		add(message)
	}
	return all
}
