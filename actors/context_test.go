package actors_test

import (
	"strings"
	"testing"

	"marvin/actors/actorstest"
	"marvin/messages"
)

// windowOf returns the parts of the context window that the conversation reports.
func windowOf(t *testing.T, tree *actorstest.Tree) map[string]messages.ContextPart {
	t.Helper()
	tree.Client.Send(messages.ShowContext{})
	parts := map[string]messages.ContextPart{}
	for _, part := range actorstest.ReadUntil[messages.ContextShown](tree).Parts {
		parts[part.Kind+" "+part.Name] = part
	}
	return parts
}

func TestTheWindowIsShownBeforeAndAfterAPrompt(t *testing.T) {
	home := t.TempDir()
	dir := inRepository(t, map[string]string{
		"AGENTS.md": "mark-root", "CLAUDE.md": "mark-root", "GEMINI.md": "mark-gemini", ".marvin/spec.md": "mark-spec", ".marvin/RULES.md": "mark-rule",
		".claude/rules/go.md": "---\npaths: '**/*.go'\n---\nmark-go", "pkg/AGENTS.md": "mark-pkg", "pkg/x.go": "package x",
	})
	bring(t, home, map[string]string{".config/marvin/AGENTS.md": "mark-mine"})
	tree, server := toucher(t, home, dir, true)
	parts := windowOf(t, tree)
	for name, want := range map[string]struct{ state, why string }{
		"instructions AGENTS.md": {"loaded", "Marvin asks you"}, "instructions CLAUDE.md": {"shadowed", "says the same"}, "instructions GEMINI.md": {"shadowed", "by AGENTS.md"},
		"instructions ~/.config/marvin/AGENTS.md": {"loaded", ""}, "document .marvin/spec.md": {"loaded", "Marvin asks you"}, "sticky .marvin/RULES.md": {"loaded", "Marvin asks you"},
		"rule .claude/rules/go.md": {"waits", "**/*.go"}, "system rules": {"loaded", ""}, "tool read_file": {"loaded", ""},
	} {
		part := parts[name]
		if part.State != want.state || !strings.Contains(part.Why, want.why) || (part.Tokens > 0) != (want.state == "loaded") {
			t.Errorf("%s: %+v", name, part)
		}
	}
	if len(server.Requests()) != 0 {
		t.Error("a model was asked")
	}
	if _, read := answer(tree, "recite", messages.Yes); !strings.Contains(read, "mark-root") {
		t.Errorf("it was looked at, and then not asked about: %s", read)
	}
	answer(tree, "read pkg/x.go", messages.Yes)
	parts = windowOf(t, tree)
	for name, state := range map[string]string{
		"instructions AGENTS.md": "loaded", "instructions pkg/AGENTS.md": "loaded", "rule .claude/rules/go.md": "loaded", "result read_file (1)": "loaded",
	} {
		if part := parts[name]; part.State != state || part.Tokens == 0 {
			t.Errorf("%s: %+v", name, part)
		}
	}
	if why := parts["instructions AGENTS.md"].Why; strings.Contains(why, "asked") {
		t.Errorf("it was asked about: %s", why)
	}
}

func TestWindowSaysWhatUserRefused(t *testing.T) {
	home := t.TempDir()
	dir := inRepository(t, map[string]string{"AGENTS.md": "mark-root"})
	tree, _ := toucher(t, home, dir, true)
	answer(tree, "recite", messages.No)
	if part := windowOf(t, tree)["instructions AGENTS.md"]; part.State != "left out" || part.Tokens != 0 || !strings.Contains(part.Why, "you declined") {
		t.Errorf("%+v", part)
	}
}
