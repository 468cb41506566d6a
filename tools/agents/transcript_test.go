package agents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"marvin/messages"
	"marvin/persistence/goldentest"
	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

func TestAgentTools(t *testing.T) {
	root := t.TempDir()
	env := toolstest.Env(t, "PATH="+os.Getenv("PATH"), "HOME="+root, "GIT_CONFIG_NOSYSTEM=1")
	env.Dir, env.Home, env.Coding = root, root, true
	var reports []tools.Report
	kinds := map[string]tools.AgentKind{}
	env.Definition = func(name string) (tools.AgentKind, error) {
		kind, ok := kinds[name]
		if !ok {
			return kind, fmt.Errorf("there is no kind %s", name)
		}
		return kind, nil
	}
	var made []string
	env.Agents = func(_ context.Context, parallel int, tasks []tools.Task) []tools.Report {
		for _, task := range tasks {
			encoded, err := json.Marshal(task)
			made = append(made, fmt.Sprintf("task of %d at once: %s %v", parallel, encoded, err))
		}
		return slices.Clone(reports)
	}
	tell := func(_ tools.Env, id string) (string, []string, error) {
		switch id {
		case "t-1":
			return "# Mend it", nil, nil
		case "t-2":
			return "# Later", []string{"t-1", "t-3"}, nil
		}
		return "", nil, errors.New("no such ticket")
	}
	local := toolstest.Local(t, root, New(tell, nil).Tools(), &env)
	hash := regexp.MustCompile(`[0-9a-f]{40}`)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(tool, args string) (string, error) {
		switch tool {
		case "reports":
			reports = nil
			return "", json.Unmarshal([]byte(args), &reports)
		case "kind":
			var kind tools.AgentKind
			err := json.Unmarshal([]byte(args), &kind)
			kinds[kind.Name] = kind
			return "", err
		case "provider":
			env.Provider = args
			return "", nil
		case "environ":
			env.Environ = append(env.Environ, args)
			return "", nil
		case "git":
			command := exec.Command("git", strings.Fields(args)...)
			command.Dir, command.Env = root, env.Environ
			return "", command.Run()
		case "alone":
			env.Definition = nil
			return "", nil
		case "nobody":
			env.Agents = nil
			return "", nil
		}
		text, err := local(tool, args)
		text = strings.ReplaceAll(strings.Join(append(made, text), "\n"), root, "ROOT")
		made = nil
		if err != nil {
			err = errors.New(regexp.MustCompile(`(none|origin): .*`).ReplaceAllString(err.Error(), "$1: …")) // git says it in its own words
		}
		return hash.ReplaceAllString(text, "COMMIT"), err
	})
	call := New(tell, nil).Tools()[0]
	for args, want := range map[string]string{
		`{"prompt":"x"}`: "[]", `{"prompt":"x","working_dir":"a"}`: "[a]", `{"tasks":[{"prompt":"x","working_dir":"b"}],"working_dir":"a"}`: "[a b]", `{"prompt":"x","working_dir":"a","where":"fleet"}`: "[]",
	} {
		decoded, err := call.Decode(json.RawMessage(args))
		if got := fmt.Sprint(decoded.Dirs()); err != nil || strings.Join(strings.Fields(strings.Trim(got, "[]")), " ") != strings.Trim(want, "[]") {
			t.Errorf("%s enters %s, %v", args, got, err)
		}
	}
	if got := tail(tools.Report{Outcome: messages.Completed}, ""); got != "[completed]" {
		t.Error(got)
	}
}
