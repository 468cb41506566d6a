package actors_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence/projects"
	"marvin/providers/modeltest"
	"marvin/tools"
)

var marks = regexp.MustCompile(`mark-\w+`)

// reciting is a model that lists the marks that it received, at the beginning and later.
func reciting(request modeltest.Request) modeltest.Step {
	var found []string
	for _, message := range request.Messages {
		if message.Role == messages.System {
			found = append(found, marks.FindAllString(message.Text, -1)...)
		}
	}
	return modeltest.Text("read: " + strings.Join(found, " "))
}

// bring writes files into a directory.
func bring(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func reader(t *testing.T, home, dir string, person bool, extra ...tools.Tool) *actorstest.Tree {
	t.Helper()
	return actorstest.Start(t, actorstest.Setup{
		Server: modeltest.StartFunc(t, delegating(reciting)), Tools: extra, Dir: dir, Home: home, Policy: &actors.Policy{Coding: true, Person: person},
	})
}

// said returns the notices of a turn without a question, and what its model read.
func said(t *testing.T, tree *actorstest.Tree) (notices, read string) {
	t.Helper()
	turn := tree.Prompt("recite")
	if asked := actorstest.TurnEvents[messages.Asked](turn); len(asked) > 0 {
		t.Fatalf("asked %+v", asked)
	}
	for _, notice := range actorstest.TurnEvents[messages.Notice](turn) {
		notices += notice.Text + "\n"
	}
	return notices, turn.Ended.Text
}

func TestFilesOfAStrangeDirectoryAreAskedAboutBeforeTheyAreUsed(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	bring(t, dir, map[string]string{".marvin/instructions.md": "mark-a\u202e", ".marvin/spec.md": "mark-b" + strings.Repeat(" x", 600), "OTHER.md": "mark-none"})
	asked, read := answer(reader(t, home, dir, true), "recite", messages.Yes)
	for _, want := range []string{dir, ".marvin/instructions.md (9 bytes, invisible characters: 1)\n", ".marvin/spec.md (1.2 kB)\n"} {
		if !strings.Contains(asked.Detail, want) {
			t.Errorf("%q lacks %q", asked.Detail, want)
		}
	}
	if read != "read: mark-a mark-b" || !slices.Equal(asked.Choices, []messages.Choice{messages.Yes, messages.Always, messages.No}) {
		t.Errorf("%s, asked %+v", read, asked)
	}
	tree := reader(t, home, dir, true)
	for range 2 {
		if notices, read := said(t, tree); notices != "" || read != "read: mark-a mark-b" {
			t.Errorf("known: %q, %s", notices, read)
		}
	}
	// Changes during the session are reported; the next session asks.
	bring(t, dir, map[string]string{".marvin/spec.md": "mark-c"})
	if notices, read := said(t, tree); notices != "The model reads instruction files of this directory: .marvin/spec.md (6 bytes, changed)\n" || read != "read: mark-a mark-b mark-c" {
		t.Errorf("changed: %q, %s", notices, read)
	}
	asked, read = answer(reader(t, home, dir, true), "recite", messages.Always)
	if strings.Contains(asked.Detail, "instructions.md") || read != "read: mark-a mark-c" {
		t.Errorf("changed: %s, asked %+v", read, asked)
	}
	bring(t, dir, map[string]string{".marvin/spec.md": "mark-d", ".marvin/ux.md": "mark-e"})
	tree = reader(t, home, dir, true)
	if notices, read := said(t, tree); !strings.Contains(notices, ".marvin/spec.md (6 bytes, changed), .marvin/ux.md (6 bytes)") || read != "read: mark-a mark-d mark-e" {
		t.Errorf("after always: %q, %s", notices, read)
	}
	if notices, _ := said(t, tree); notices != "" {
		t.Errorf("named twice: %q", notices)
	}
}

func TestANoLeavesFilesOut(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	bring(t, dir, map[string]string{".marvin-instructions": "mark-a"})
	server := modeltest.StartFunc(t, reciting)
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Dir: dir, Home: home, Policy: &actors.Policy{Coding: true, Person: true}})
	tree.Client.Send(messages.Say("recite"))
	asked := actorstest.ReadUntil[messages.Asked](tree)
	if sent := len(server.Requests()); sent != 0 {
		t.Errorf("%d requests before the answer", sent)
	}
	tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.No})
	turn := tree.Finish()
	if notices := actorstest.TurnEvents[messages.Notice](turn); turn.Ended.Text != "read: " || len(notices) != 1 || !strings.Contains(notices[0].Text, "left out of this conversation") {
		t.Errorf("%s, %+v", turn.Ended.Text, notices)
	}
	bring(t, dir, map[string]string{".marvin-instructions": "mark-b"})
	if notices, read := said(t, tree); notices != "" || read != "read: " {
		t.Errorf("later: %q, %s", notices, read)
	}
	if asked, read := answer(reader(t, home, dir, true), "recite", messages.No); asked.Ask == "" || read != "read: " {
		t.Errorf("the next conversation: %+v, %s", asked, read)
	}
	tree = reader(t, home, dir, true) // a cancel is not a yes
	tree.Client.Send(messages.Say("recite"))
	actorstest.ReadUntil[messages.Asked](tree)
	tree.Client.Send(messages.Cancel{})
	if ended := tree.Finish().Ended; ended.Outcome != messages.Cancelled {
		t.Errorf("%+v", ended)
	}
	if asked, read := answer(tree, "recite", messages.Yes); asked.Ask == "" || read != "read: mark-b" {
		t.Errorf("after a cancel: %+v, %s", asked, read)
	}
}

func TestUnattendedRunNamesFilesOnce(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	bring(t, dir, map[string]string{".marvin/design.md": "mark-a"})
	for _, want := range []string{"The model reads instruction files of this directory: .marvin/design.md (6 bytes)\n", ""} {
		if notices, read := said(t, reader(t, home, dir, false)); notices != want || read != "read: mark-a" {
			t.Errorf("%q, %s", notices, read)
		}
	}
	bring(t, dir, map[string]string{".marvin/design.md": "mark-b"})
	if notices, read := said(t, reader(t, home, dir, false)); !strings.Contains(notices, "changed") || read != "read: mark-b" {
		t.Errorf("changed: %q, %s", notices, read)
	}
	if asked, _ := answer(reader(t, home, dir, true), "recite", messages.No); !strings.Contains(asked.Detail, "design.md") {
		t.Errorf("a person: %+v", asked)
	}
}

func TestInstructionsOfTheUsersOwnAreNotAskedAbout(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	name := strings.ReplaceAll(strings.Trim(dir, "/"), "/", "_") + ".md"
	bring(t, home, map[string]string{".marvin/instructions/" + name: "mark-mine"})
	if notices, read := said(t, reader(t, home, dir, true)); notices != "" || read != "read: mark-mine" {
		t.Errorf("%q, %s", notices, read)
	}
}

func TestSubAgentsInheritWhatMayBeRead(t *testing.T) {
	for _, person := range []bool{true, false} {
		home, dir, copied, other := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
		bring(t, dir, map[string]string{".marvin/spec.md": "mark-a"})
		bring(t, copied, map[string]string{".marvin/spec.md": "mark-a"})
		bring(t, other, map[string]string{".marvin/spec.md": "mark-stranger"})
		places := []string{"", copied, other}
		team := delegate(3, 1, func(task *tools.Task) { task.Dir, places = places[0], places[1:] })
		tree := reader(t, home, dir, person, team)
		var read string
		if person {
			_, read = answer(tree, "go", messages.Yes)
		} else {
			_, read = plainly(tree, "go")
		}
		if want := "completed|read: mark-a|\ncompleted|read: mark-a|\ncompleted|read: |\n"; read != want {
			t.Errorf("person %t: %s", person, read)
		}
	}
	home, dir := t.TempDir(), t.TempDir()
	bring(t, dir, map[string]string{".marvin/spec.md": "mark-a"})
	if _, read := answer(reader(t, home, dir, true, delegate(1, 1, nil)), "go", messages.No); read != "completed|read: |\n" {
		t.Errorf("after no: %s", read)
	}
}

// plainly is a turn without a question.
func plainly(tree *actorstest.Tree, prompt string) (asked int, read string) {
	turn := tree.Prompt(prompt)
	return len(actorstest.TurnEvents[messages.Asked](turn)), turn.Ended.Text
}

// A link to a known directory counts as that directory; if the link changes, it does not.
func TestALinkToADirectoryIsWhereItLeads(t *testing.T) {
	home, dir, other := t.TempDir(), t.TempDir(), t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	bring(t, dir, map[string]string{".marvin/spec.md": "mark-a"})
	bring(t, other, map[string]string{".marvin/spec.md": "mark-a"}) // the same content, but in a directory that was never seen
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	answer(reader(t, home, link, true), "recite", messages.Yes)
	if _, read := said(t, reader(t, home, dir, true)); read != "read: mark-a" {
		t.Errorf("the directory itself: %s", read)
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, link); err != nil {
		t.Fatal(err)
	}
	if asked, read := answer(reader(t, home, link, true), "recite", messages.No); !strings.HasPrefix(asked.Detail, other) || read != "read: " {
		t.Errorf("elsewhere: %+v, %s", asked, read)
	}
}

func TestAnAnswerThatCannotBeRemembered(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	bring(t, dir, map[string]string{".marvin/spec.md": "mark-a"})
	bring(t, home, map[string]string{".config": "a file where the directory should be"})
	for range 2 {
		tree := reader(t, home, dir, true)
		if _, read := answer(tree, "recite", messages.Always); read != "read: mark-a" {
			t.Error(read)
		}
		if notices := actorstest.Pick[messages.Notice](tree.Seen); !slices.ContainsFunc(notices, func(notice messages.Notice) bool {
			return strings.Contains(notice.Text, "could not record that it has shown these files to you: ")
		}) {
			t.Errorf("it says nothing: %+v", notices)
		}
		turn := tree.Prompt("recite")
		if len(actorstest.TurnEvents[messages.Asked](turn)) != 0 || turn.Ended.Text != "read: mark-a" {
			t.Errorf("the second turn: %+v", turn.Ended)
		}
	}
	damaged := t.TempDir()
	path := filepath.Join(damaged, ".config", "marvin", "projects.json")
	bring(t, damaged, map[string]string{".config/marvin/projects.json": `{"directories": {"` + dir + `": {"always": tru`})
	if _, read := answer(reader(t, damaged, dir, true), "recite", messages.Yes); read != "read: mark-a" {
		t.Error(read)
	}
	kept, _ := filepath.Glob(path + ".damaged-*")
	if _, read := said(t, reader(t, damaged, dir, true)); read != "read: mark-a" || len(kept) != 1 {
		t.Errorf("%s, kept %q", read, kept)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestADirectoryChosenLaterIsAskedAbout(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	bring(t, dir, map[string]string{".marvin/spec.md": "mark-a"})
	tree := reader(t, home, t.TempDir(), true)
	if _, read := said(t, tree); read != "read: " {
		t.Error(read)
	}
	tree.Client.Send(messages.SetDir{Path: dir})
	if asked, read := answer(tree, "recite", messages.Yes); !strings.HasPrefix(asked.Detail, projects.RealDir(dir)) || read != "read: mark-a" {
		t.Errorf("%+v, %s", asked, read)
	}
}
