package actors_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/files"
)

// inRepository writes files into a directory that is the root of a repository.
func inRepository(t *testing.T, all map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	bring(t, dir, all)
	return dir
}

// touching is a model that reads the file after "read" in a prompt, and then repeats the marks that
// it knows.
func touching(request modeltest.Request) modeltest.Step {
	for i := len(request.Messages) - 1; i >= 0; i-- {
		switch message := request.Messages[i]; message.Role {
		case messages.Tool:
			return reciting(request)
		case messages.User:
			if name, found := strings.CutPrefix(message.Text, "read "); found {
				return modeltest.Calls(modeltest.Call{Name: "read_file", Args: map[string]string{"path": name}})
			}
			return reciting(request)
		}
	}
	return reciting(request)
}

func toucher(t *testing.T, home, dir string, person bool) (*actorstest.Tree, *modeltest.Server) {
	t.Helper()
	server := modeltest.StartFunc(t, touching)
	return actorstest.Start(t, actorstest.Setup{
		Server: server, Tools: files.Tools(), Dir: dir, Home: home, Policy: &actors.Policy{Coding: true, Person: person},
	}), server
}

func TestInstructionsComeFromTheRootDownAndTheNearestLast(t *testing.T) {
	home := t.TempDir()
	dir := inRepository(t, map[string]string{
		"AGENTS.md": "mark-root @docs/more.md", "docs/more.md": "mark-more", "svc/CLAUDE.md": "mark-svc", "svc/api/AGENTS.md": "mark-api", "svc/api/.marvin/spec.md": "mark-spec",
	})
	bring(t, home, map[string]string{".config/marvin/AGENTS.md": "mark-mine"})
	api := filepath.Join(dir, "svc", "api")
	asked, read := answer(reader(t, home, api, true), "recite", messages.Yes)
	if want := "read: mark-mine mark-root mark-more mark-svc mark-api mark-spec"; read != want {
		t.Errorf("%s, want %s", read, want)
	}
	for _, want := range []string{dir + "\n", "AGENTS.md (60 bytes)", "svc/CLAUDE.md", "svc/api/AGENTS.md", "svc/api/.marvin/spec.md"} {
		if !strings.Contains(asked.Detail, want) {
			t.Errorf("%q lacks %q", asked.Detail, want)
		}
	}
	if strings.Contains(asked.Detail, ".config") || !strings.Contains(asked.More, "mark-more") {
		t.Errorf("asked %q, %q", asked.Detail, asked.More)
	}
	if notices, read := said(t, reader(t, home, filepath.Join(dir, "svc"), true)); notices != "" || read != "read: mark-mine mark-root mark-more mark-svc" {
		t.Errorf("one directory above, which is the same repository: %q, %s", notices, read)
	}
	bring(t, dir, map[string]string{"docs/more.md": "mark-other"})
	if asked, _ := answer(reader(t, home, api, true), "recite", messages.No); !strings.Contains(asked.Detail, "\nAGENTS.md") {
		t.Errorf("what it imports changed: %q", asked.Detail)
	}
}

func TestTheUsersOwnInstructionsCountInAChat(t *testing.T) {
	home := t.TempDir()
	bring(t, home, map[string]string{".config/marvin/AGENTS.md": "mark-mine", ".claude/CLAUDE.md": "mark-claude"})
	tree := actorstest.Start(t, actorstest.Setup{Server: modeltest.StartFunc(t, reciting), Home: home, Policy: &actors.Policy{Person: true}})
	if notices, read := said(t, tree); notices != "" || read != "read: mark-mine" {
		t.Errorf("%q, %s", notices, read)
	}
}

func TestNestedInstructionsArriveBehindTheResult(t *testing.T) {
	home := t.TempDir()
	dir := inRepository(t, map[string]string{
		"AGENTS.md": "mark-root", "pkg/AGENTS.md": "mark-pkg", "pkg/deep/CLAUDE.md": "mark-deep", "pkg/deep/x.go": "package x", "pkg/y.go": "package y",
		"other/AGENTS.md": "mark-other", "node_modules/left/AGENTS.md": "mark-stranger", "node_modules/left/x.js": "1",
	})
	answer(reader(t, home, dir, true), "recite", messages.Yes)
	tree, server := toucher(t, home, dir, true)
	asked, read := answer(tree, "read pkg/deep/x.go", messages.Yes)
	if !strings.Contains(asked.Detail, "pkg/AGENTS.md") || !strings.Contains(asked.Detail, "pkg/deep/CLAUDE.md") || strings.Contains(asked.Detail, "\nAGENTS.md") || read != "read: mark-root mark-pkg mark-deep" {
		t.Errorf("%q, %s", asked.Detail, read)
	}
	for _, name := range []string{"pkg/y.go", "node_modules/left/x.js"} {
		turn := tree.Prompt("read " + name)
		if len(actorstest.TurnEvents[messages.Asked](turn)) != 0 || turn.Ended.Text != "read: mark-root mark-pkg mark-deep" {
			t.Errorf("%s: %+v", name, turn.Ended)
		}
	}
	requests := server.Requests()
	for i := 1; i < len(requests); i++ {
		before, now := growing(t, requests[i-1].Raw), growing(t, requests[i].Raw)
		if share := float64(common(before, now)) / float64(len(before)); share < 0.97 {
			t.Errorf("request %d has %.3f of the one before:\n%s\n%s", i, share, before, now)
		}
	}
	again, _ := toucher(t, home, dir, true)
	if notices, _ := said(t, again); notices != "" {
		t.Errorf("the next conversation: %q", notices)
	}
	turn := again.Prompt("read pkg/y.go")
	if len(actorstest.TurnEvents[messages.Asked](turn)) != 0 || turn.Ended.Text != "read: mark-root mark-pkg" {
		t.Errorf("the next conversation: %+v", turn.Ended)
	}
}

func TestANoToNestedInstructionsHoldsForTheirDirectory(t *testing.T) {
	home := t.TempDir()
	dir := inRepository(t, map[string]string{"a/AGENTS.md": "mark-a", "a/x": "1", "b/AGENTS.md": "mark-b", "b/x": "1"})
	tree, _ := toucher(t, home, dir, true)
	if asked, read := answer(tree, "read a/x", messages.No); asked.Ask == "" || read != "read: " {
		t.Errorf("%+v, %s", asked, read)
	}
	if turn := tree.Prompt("read a/x"); len(actorstest.TurnEvents[messages.Asked](turn)) != 0 {
		t.Error("asked twice")
	}
	if asked, read := answer(tree, "read b/x", messages.Yes); !strings.Contains(asked.Detail, "b/AGENTS.md") || read != "read: mark-b" {
		t.Errorf("%+v, %s", asked, read)
	}
	alone, _ := toucher(t, t.TempDir(), dir, false)
	turn := alone.Prompt("read a/x")
	if notices := actorstest.TurnEvents[messages.Notice](turn); turn.Ended.Text != "read: mark-a" || len(notices) != 1 || !strings.Contains(notices[0].Text, "a/AGENTS.md") {
		t.Errorf("without a person: %+v, %+v", turn.Ended, notices)
	}
}

func TestRulesComeWithTheFilesAndWordsThatTheyAreAbout(t *testing.T) {
	home := t.TempDir()
	dir := inRepository(t, map[string]string{
		".github/instructions/go.instructions.md": "---\napplyTo: '**/*.go'\n---\nmark-go", ".github/instructions/all.instructions.md": "---\napplyTo: '**'\n---\nmark-all",
		".marvin/rules/release.md": "---\nwords: [release, ship]\n---\nmark-release", ".cursor/rules/db.mdc": "---\ndescription: about the database\nglobs:\nalwaysApply: false\n---\nmark-db",
		"x.go": "package x", "x.txt": "x",
	})
	asked, read := answer(reader(t, home, dir, true), "recite", messages.Yes)
	if read != "read: mark-all" || !strings.Contains(asked.Detail, "release.md") {
		t.Errorf("%s, %s", read, asked.Detail)
	}
	tree, server := toucher(t, home, dir, true)
	for _, step := range []struct{ prompt, read string }{
		{"read x.txt", "mark-all"},
		{"read x.go", "mark-all mark-go"},
		{"released", "mark-all mark-go"},
		{"how do we Release?", "mark-all mark-go mark-release"},
		{"and now", "mark-all mark-go mark-release"},
	} {
		if turn := tree.Prompt(step.prompt); turn.Ended.Text != "read: "+step.read {
			t.Errorf("%s: %s", step.prompt, turn.Ended.Text)
		}
	}
	if system := server.Requests()[0].Messages[0].Text; !strings.Contains(system, ".cursor/rules/db.mdc: about the database") {
		t.Error("the model does not know of the rule that it may read")
	}
}

func TestRulesComeWithWordsThatSteer(t *testing.T) {
	dir := inRepository(t, map[string]string{".marvin/rules/release.md": "---\nwords: [release]\n---\nmark-release"})
	gate := make(chan struct{}, 1)
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		if request.Last().Text == "go" {
			return modeltest.Calls(modeltest.Call{Name: "wait"})
		}
		return modeltest.Text("done")
	})
	waits := tool("wait", func(ctx context.Context, _ tools.Env) (tools.Output, error) {
		select {
		case <-gate:
		case <-ctx.Done():
		}
		return tools.Output{Text: "waited"}, nil
	})
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: t.TempDir(), Dir: dir, Policy: &actors.Policy{Coding: true}, Tools: []tools.Tool{waits}})
	tree.Client.Send(messages.Say("go"))
	actorstest.ReadUntil[messages.ToolStarted](tree)
	tree.Client.Send(messages.Prompt{Text: "it is for the release", Steer: true})
	tree.Client.Send(messages.Request{ID: "later", Op: messages.Attend{Ask: "none"}})
	actorstest.ReadUntil[messages.Refused](tree) // requests are taken in their order
	gate <- struct{}{}
	tree.Finish()
	requests := server.Requests()
	if !strings.Contains(fmt.Sprint(requests[len(requests)-1].Messages), "mark-release") || strings.Contains(fmt.Sprint(requests[0].Messages), "mark-release") {
		t.Errorf("%d requests, the last one: %+v", len(requests), requests[len(requests)-1].Messages)
	}
}

func TestShortRulesAreRepeatedInLongConversation(t *testing.T) {
	home := t.TempDir()
	dir := inRepository(t, map[string]string{".marvin/RULES.md": "mark-rule", "long.txt": strings.Repeat("a line of some words\n", 1500)})
	answer(reader(t, home, dir, true), "recite", messages.Yes)
	tree, server := toucher(t, home, dir, true)
	if turn := tree.Prompt("recite"); turn.Ended.Text != "read: mark-rule" {
		t.Error(turn.Ended.Text)
	}
	turn := tree.Prompt("read long.txt")
	if turn.Ended.Text != "read: mark-rule mark-rule" {
		t.Error(turn.Ended.Text)
	}
	last := server.Requests()[len(server.Requests())-1]
	if last.Last().Role != messages.System || !strings.Contains(last.Last().Text, "mark-rule") {
		t.Errorf("the end of the window is %+v", last.Last())
	}
	if turn := tree.Prompt("recite"); turn.Ended.Text != "read: mark-rule mark-rule" {
		t.Errorf("told too often: %s", turn.Ended.Text)
	}
}

func TestAFileThatIsSwappedBehindTheQuestionIsNotRead(t *testing.T) {
	home := t.TempDir()
	dir := inRepository(t, map[string]string{"AGENTS.md": "mark-shown @more.md", "more.md": "mark-import"})
	tree, _ := toucher(t, home, dir, true)
	tree.Client.Send(messages.Say("recite"))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	bring(t, dir, map[string]string{"AGENTS.md": "mark-swapped @more.md", "more.md": "mark-other"})
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
	if said := tree.Finish().Ended.Text; !strings.Contains(said, "mark-shown") || !strings.Contains(said, "mark-import") || strings.Contains(said, "mark-swapped") || strings.Contains(said, "mark-other") {
		t.Errorf("the model knows %s", said)
	}
	next, _ := toucher(t, home, dir, true)
	asked, said := answer(next, "recite", messages.No)
	if !strings.Contains(asked.Detail, "AGENTS.md") || strings.Contains(said, "mark-swapped") || strings.Contains(said, "mark-other") {
		t.Errorf("asked %+v; after a no the model knows %s", asked, said)
	}
}
