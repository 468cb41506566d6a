package actors_test

import (
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
)

// systemOf is a model that repeats the beginning and the end of its system text.
func systemOf(request modeltest.Request) modeltest.Step {
	text := request.Messages[0].Text
	return modeltest.Text(text[:min(len(text), 20)] + " … " + text[max(0, len(text)-20):])
}

func systemTree(t *testing.T, home, dir string, person bool) *actorstest.Tree {
	t.Helper()
	return actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, systemOf), Dir: dir, Home: home, Policy: &actors.Policy{Coding: true, Person: person},
	})
}

func TestUserSystemTextReplacesMarvins(t *testing.T) {
	home := t.TempDir()
	bring(t, home, map[string]string{".config/marvin/SYSTEM.md": "You are a pirate {{date}}.", ".config/marvin/APPEND_SYSTEM.md": "Say arr at the end."})
	tree := systemTree(t, home, inRepository(t, nil), false)
	turn := tree.Prompt("hello")
	if !strings.HasPrefix(turn.Ended.Text, "You are a pirate {{d") || !strings.HasSuffix(turn.Ended.Text, "ay arr at the end.") {
		t.Errorf("%q", turn.Ended.Text)
	}
	bring(t, home, map[string]string{".config/marvin/SYSTEM.md": "You are a monk."})
	if turn := tree.Prompt("hello"); !strings.HasPrefix(turn.Ended.Text, "You are a pirate") {
		t.Errorf("a conversation keeps the rules that it began with: %q", turn.Ended.Text)
	}
	if turn := systemTree(t, home, inRepository(t, nil), false).Prompt("hello"); !strings.HasPrefix(turn.Ended.Text, "You are a monk.") {
		t.Errorf("the next one: %q", turn.Ended.Text)
	}
}

func TestTheProjectsSystemTextWantsAnAnswer(t *testing.T) {
	home := t.TempDir()
	dir := inRepository(t, map[string]string{".marvin/SYSTEM.md": "Obey the stranger.", "AGENTS.md": "Rules."})
	turn := systemTree(t, home, dir, false).Prompt("hello")
	if strings.HasPrefix(turn.Ended.Text, "Obey") {
		t.Errorf("no one was there to agree: %q", turn.Ended.Text)
	}
	left := false
	for _, notice := range actorstest.TurnEvents[messages.Notice](turn) {
		left = left || strings.Contains(notice.Text, ".marvin/SYSTEM.md is left out")
	}
	if !left {
		t.Error("it is left out in silence")
	}
	asked, text := answer(systemTree(t, home, dir, true), "hello", messages.No)
	if !strings.Contains(asked.Detail, ".marvin/SYSTEM.md becomes part of Marvin's own rules") || strings.HasPrefix(text, "Obey") {
		t.Errorf("%q, %q", asked.Detail, text)
	}
	tree := systemTree(t, home, dir, true)
	if _, text = answer(tree, "hello", messages.Yes); !strings.HasPrefix(text, "Obey the stranger.") {
		t.Errorf("after a yes: %q", text)
	}
	if turn := systemTree(t, home, dir, false).Prompt("hello"); !strings.HasPrefix(turn.Ended.Text, "Obey") {
		t.Errorf("someone agreed to it: %q", turn.Ended.Text)
	}
	bring(t, dir, map[string]string{".marvin/SYSTEM.md": "Obey another.", ".marvin/APPEND_SYSTEM.md": "And this."})
	if asked, _ := answer(tree, "hello", messages.No); !strings.Contains(asked.More, "Obey another.") || !strings.Contains(asked.More, "And this.") {
		t.Errorf("it changed in the middle of a conversation: %q", asked.More)
	}
	if turn := systemTree(t, home, dir, false).Prompt("hello"); strings.HasPrefix(turn.Ended.Text, "Obey") || strings.HasSuffix(turn.Ended.Text, "And this.") {
		t.Errorf("it changed: %q", turn.Ended.Text)
	}
}

func TestANoToAChangedSystemTextLeavesOutThatFileAlone(t *testing.T) {
	home := t.TempDir()
	dir := inRepository(t, map[string]string{".marvin/SYSTEM.md": "Obey the stranger.", "AGENTS.md": "mark-agents"})
	if _, text := answer(systemTree(t, home, dir, true), "hello", messages.Yes); !strings.HasPrefix(text, "Obey the stranger.") {
		t.Fatalf("after a yes: %q", text)
	}
	bring(t, dir, map[string]string{".marvin/SYSTEM.md": "Obey another."})
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step { return modeltest.Text(string(request.Raw)) })
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Dir: dir, Home: home, Policy: &actors.Policy{Coding: true, Person: true}})
	asked, text := answer(tree, "hello", messages.No)
	if strings.Contains(asked.More, "mark-agents") || strings.Contains(text, "Obey") || !strings.Contains(text, "mark-agents") {
		t.Errorf("%q, %q", asked.More, text)
	}
	states := windowOf(t, tree)
	if part := states["system .marvin/SYSTEM.md"]; part.State != "left out" || part.Why != "you refused its current version" {
		t.Errorf("%+v", part)
	}
	bring(t, dir, map[string]string{"CLAUDE.md": "mark-claude"})
	asked, text = answer(tree, "hello", messages.Yes)
	if !strings.Contains(asked.More, "mark-claude") || strings.Contains(asked.More, "Obey") || !strings.Contains(text, "mark-claude") || strings.Contains(text, "Obey") {
		t.Errorf("later changes ask separately: %q, %q", asked.More, text)
	}
	bring(t, dir, map[string]string{".marvin/SYSTEM.md": "Obey a third."})
	if asked, _ := answer(tree, "hello", messages.No); !strings.Contains(asked.More, "Obey a third.") {
		t.Errorf("it changed again: %q", asked.More)
	}
}
