package actors_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/agents"
	"marvin/tools/coding"
	"marvin/tools/files"
)

func TestUserIsAskedAboutAnotherDirectory(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(other, link); err != nil {
		t.Fatal(err)
	}
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		switch last := request.Last(); {
		case last.Role == messages.Tool:
			return modeltest.Text(last.Result.Text)
		case prompted(request) == "work":
			return modeltest.Calls(modeltest.Call{Name: "create_file", Args: map[string]string{"path": "made", "content": "x"}})
		case prompted(request) == "move":
			return modeltest.Calls(modeltest.Call{Name: "set_working_dir", Args: map[string]string{"path": link}})
		}
		return modeltest.Calls(modeltest.Call{Name: "launch_agent", Args: map[string]string{"prompt": "work", "working_dir": "link"}})
	})
	ticket := func(tools.Env, string) (string, []string, error) { return "", nil, errors.New("no tickets") }
	all := slices.Concat(agents.New(ticket, nil).Tools(), coding.Tools(), files.Tools())
	tree := actorstest.Start(t, actorstest.Setup{
		Server: server, Tools: all, Dir: dir, Home: t.TempDir(), Policy: &actors.Policy{Coding: true, Person: true},
	})
	made := filepath.Join(other, "made")
	for _, choice := range []messages.Choice{messages.No, messages.Yes} {
		asked, said := answer(tree, "launch", choice)
		if slices.Contains(asked.Choices, messages.Always) || !strings.Contains(asked.Detail, other+" is outside of "+dir) || !strings.Contains(asked.Title, "launch_agent") {
			t.Errorf("asked %+v", asked)
		}
		if _, err := os.Stat(made); (err == nil) != (choice == messages.Yes) {
			t.Errorf("after %s: %v, %s", choice, err, said)
		}
	}
	asked, said := answer(tree, "move", messages.Yes)
	if asked.Title != "Make this the working directory?" || !strings.Contains(asked.Detail, link+"\nwhich is "+other+"\n") || said != "Working directory: "+other {
		t.Errorf("asked %+v, said %q", asked, said)
	}
	if err := os.Remove(made); err != nil {
		t.Fatal(err)
	}
	if turn := tree.Prompt("work"); len(actorstest.TurnEvents[messages.Asked](turn)) != 0 || !strings.HasPrefix(turn.Ended.Text, "Created made") {
		t.Errorf("in the directory that was allowed: %+v", turn.Ended)
	}
}
