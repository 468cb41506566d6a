package actors_test

import (
	"fmt"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/tools/files"
)

// What others wrote leaves most of a small window to the conversation, is cut evenly, and
// says so; in a large window nothing is cut.
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
			About: func(actors.Choice) providers.About { return providers.About{Window: window} },
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
