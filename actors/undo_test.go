package actors_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/providers/modeltest"
	"marvin/tools/files"
)

type createArgs struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

// The user sees what would be changed and says yes, and the model knows of it with the next prompt,
// even in a resumed conversation.
func TestUserUndoesToolChanges(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	policy := &actors.Policy{Coding: true, Person: true, Approval: messages.ApproveAll}
	for name, resumed := range map[string]bool{"at once": false, "after a resume": true} {
		setup := actorstest.Setup{Home: home, Dir: dir, Policy: policy, Keep: begins}
		tree := atWork(t, setup, files.Tools()...)
		made := filepath.Join(dir, "new", "made.txt")
		tree.call(t, modeltest.Call{Name: "create_file", Args: createArgs{Path: "new/made.txt", Content: "by marvin\n"}})
		if _, err := os.Stat(made); err != nil {
			t.Fatal(name, err)
		}
		if resumed {
			if err := tree.System.Stop(); err != nil {
				t.Fatal(err)
			}
			setup.Keep = goesOn(t)
			tree = atWork(t, setup, files.Tools()...)
		}
		for _, choice := range []messages.Choice{messages.No, messages.Yes} {
			tree.Client.Send(messages.Undo{})
			asked := actorstest.ReadUntil[messages.Asked](tree.Tree)
			if !strings.Contains(asked.Detail, "made.txt: will be deleted") || !strings.Contains(asked.More, "-by marvin") || len(asked.Choices) != 2 {
				t.Errorf("%s: it is asked as %+v", name, asked)
			}
			if _, err := os.Stat(made); err != nil {
				t.Errorf("%s: before the answer: %v", name, err)
			}
			tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: choice})
			notice := actorstest.ReadUntil[messages.Notice](tree.Tree)
			if taken := strings.HasPrefix(notice.Text, "Undone: 1 file change in turn t"); taken != (choice == messages.Yes) {
				t.Errorf("%s: %s says %q", name, choice, notice.Text)
			}
		}
		if _, err := os.Stat(filepath.Dir(made)); err == nil {
			t.Errorf("%s: the file, or its directory, is still there", name)
		}
		tree.Prompt("go on")
		requests := tree.server.Requests()
		if last := requests[len(requests)-1].Raw; !strings.Contains(string(last), "undid the changes that you made in turn t") {
			t.Errorf("%s: the model is not told: %s", name, last)
		}
		if err := tree.System.Stop(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestUndoIsRefusedWhereThereIsNothing(t *testing.T) {
	tree := atWork(t, actorstest.Setup{Dir: t.TempDir(), Policy: &actors.Policy{Coding: true, Person: true}})
	for _, wish := range []messages.Undo{{}, {Redo: true}, {Turn: "t9"}, {Path: "a.txt"}} {
		tree.Client.Send(wish)
		if notice := actorstest.ReadUntil[messages.Notice](tree.Tree); !strings.HasPrefix(notice.Text, "There is nothing to ") {
			t.Errorf("%+v says %q", wish, notice.Text)
		}
	}
}

func TestUndoIsReportedToModelAfterRestart(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	setup := actorstest.Setup{Home: home, Dir: dir, Policy: &actors.Policy{Coding: true, Person: true, Approval: messages.ApproveAll}, Keep: begins}
	tree := atWork(t, setup, files.Tools()...)
	tree.call(t, modeltest.Call{Name: "create_file", Args: createArgs{Path: "made.txt", Content: "by marvin\n"}})
	tree.Client.Send(messages.Undo{})
	tree.Client.Send(messages.Answer{Ask: actorstest.ReadUntil[messages.Asked](tree.Tree).Ask, Choice: messages.Yes})
	if notice := actorstest.ReadUntil[messages.Notice](tree.Tree); !strings.HasPrefix(notice.Text, "Undone:") {
		t.Fatalf("%+v", notice)
	}
	setup.Keep = goesOn(t)
	for round := range 3 {
		if err := tree.System.Stop(); err != nil {
			t.Fatal(err)
		}
		tree = atWork(t, setup, files.Tools()...)
		if round == 0 {
			continue // a restart without a prompt leaves it for the next one
		}
		tree.Prompt("go on")
		requests := tree.server.Requests()
		if told := strings.Count(string(requests[len(requests)-1].Raw), "undid the changes that you made in turn t1"); told != 1 {
			t.Errorf("after restart %d the model got %d times", round, told)
		}
	}
}

// After a handoff, changes of the previous conversation can be undone, stored or not, and even
// after a restart.
func TestUndoReachesBehindHandoff(t *testing.T) {
	for name, keep := range map[string]func(*persistence.Home) *actors.StoredSession{"kept": begins, "not kept": nil} {
		home, dir := t.TempDir(), t.TempDir()
		setup := actorstest.Setup{Home: home, Dir: dir, Policy: &actors.Policy{Coding: true, Person: true, Approval: messages.ApproveAll}, Keep: keep}
		tree := atWork(t, setup, files.Tools()...)
		tree.call(t, modeltest.Call{Name: "create_file", Args: createArgs{Path: "made.txt", Content: "by marvin\n"}})
		tree.Client.Send(messages.Handoff{})
		actorstest.ReadUntil[messages.Recalled](tree.Tree)
		if keep != nil {
			if err := tree.System.Stop(); err != nil {
				t.Fatal(err)
			}
			setup.Keep = goesOn(t)
			tree = atWork(t, setup, files.Tools()...)
		}
		tree.Client.Send(messages.Undo{})
		asked := actorstest.ReadUntil[messages.Asked](tree.Tree)
		tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
		if notice := actorstest.ReadUntil[messages.Notice](tree.Tree); !strings.HasPrefix(notice.Text, "Undone: 1 file change in turn t") {
			t.Errorf("%s: %q", name, notice.Text)
		}
		if _, err := os.Stat(filepath.Join(dir, "made.txt")); err == nil {
			t.Errorf("%s: the file is still there", name)
		}
	}
}
