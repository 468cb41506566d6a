package actors_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/notes"
)

type mkdirArgs struct {
	Dirname string `json:"dirname"`
}

func TestCallsAreUndoneLikeTheyWereMade(t *testing.T) {
	for name, deny := range map[string][]string{"allowed": nil, "denied by a rule": {"remove_note"}} {
		rules, err := tools.NewPermissions(nil, nil, deny)
		if err != nil {
			t.Fatal(err)
		}
		dir, home := t.TempDir(), t.TempDir()
		policy := &actors.Policy{Coding: true, Person: true, Approval: messages.ApproveAll}
		tree := atWork(t, actorstest.Setup{Dir: dir, Home: home, Policy: policy, Keep: begins, Rules: rules}, notes.Tools()...)
		tree.call(t, modeltest.Call{Name: "notes_mkdir", Args: mkdirArgs{Dirname: "recipes"}})
		there := func() bool {
			_, err := os.Stat(filepath.Join(home, "Notes", "recipes"))
			return err == nil
		}
		if !there() {
			t.Fatal("the directory was not made")
		}
		steps := []struct {
			wish  messages.Undo
			says  string
			there bool
		}{{messages.Undo{}, "Undone: 1 call in turn t1", false}, {messages.Undo{Redo: true}, "Redone: 1 call in turn t1", true}}
		if deny != nil {
			steps = steps[:1]
			steps[0].says, steps[0].there = "Undone: nothing in turn t1; 1 call stays as it is:\n  notes_mkdir", true
		}
		for _, step := range steps {
			tree.Client.Send(step.wish)
			asked := actorstest.ReadUntil[messages.Asked](tree.Tree)
			if !strings.Contains(asked.Detail, "notes_mkdir") || !strings.HasSuffix(asked.Title, " 1 call in turn t1?") {
				t.Errorf("%s: it is asked as %+v", name, asked)
			}
			tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: messages.Yes})
			if notice := actorstest.ReadUntil[messages.Notice](tree.Tree); !strings.HasPrefix(notice.Text, step.says) {
				t.Errorf("%s: it says %q", name, notice.Text)
			}
			if there() != step.there {
				t.Errorf("%s: the directory is there: %v", name, there())
			}
		}
		tree.Prompt("go on")
		requests := tree.server.Requests()
		if told := strings.Contains(string(requests[len(requests)-1].Raw), "undid these calls of turn t1"); told != (deny == nil) {
			t.Errorf("%s: the model got: %v", name, told)
		}
		if err := tree.System.Stop(); err != nil {
			t.Fatal(err)
		}
	}
}
