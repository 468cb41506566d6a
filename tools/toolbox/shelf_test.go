package toolbox_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"marvin/tools"
	"marvin/tools/toolbox"
)

func shelf(own ...tools.Tool) *toolbox.Shelf {
	registry := &toolbox.Registry{}
	registry.Add(own...)
	registry.Add(toolbox.FindTool(registry))
	return toolbox.NewShelf(registry)
}

func source(t *testing.T, name string, called ...string) toolbox.Source {
	t.Helper()
	list := toolbox.Source{Name: name}
	for _, one := range called {
		list.Tools = append(list.Tools, stranger(t, tools.Definition{Name: one, Doc: name + " has " + one, Server: name}))
	}
	return list
}

func names(registry *toolbox.Registry) (list []string) {
	for _, tool := range registry.All() {
		list = append(list, tool.Name)
	}
	return list
}

func TestATurnKeepsToWhatWasOnTheShelf(t *testing.T) {
	s := shelf(forecast())
	before := s.Snapshot()
	s.Add(source(t, "b", "mcp_b_x"))
	s.Add(source(t, "a", "mcp_a_x"))
	now := s.Snapshot()
	if got := strings.Join(names(before), " "); got != "weather_forecast find_tools" {
		t.Errorf("the turn before has %s", got)
	}
	if got := strings.Join(names(now), " "); got != "weather_forecast find_tools mcp_a_x mcp_b_x" {
		t.Errorf("now there is %s", got)
	}
	if own := now.OwnTools(); len(own) != 2 || len(before.OwnTools()) != 2 || !slices.Equal(now.Sources(), []string{"a", "b"}) {
		t.Errorf("own %d, sources %v", len(own), now.Sources())
	}
	find, err := now.Find("find_tools", tools.Mode{})
	if err != nil {
		t.Fatal(err)
	}
	call, err := find.Decode([]byte(`{"query":"mcp_b_x"}`))
	if err != nil {
		t.Fatal(err)
	}
	if output, err := call.Run(t.Context(), tools.Env{}); err != nil || !slices.Contains(output.Offer, "mcp_b_x") {
		t.Errorf("the search does not find it: %+v, %v", output, err)
	}
	if tool, ok := now.Lookup("mcp__b__X"); !ok || tool.Name != "mcp_b_x" {
		t.Errorf("as other agents spell it: %v %s", ok, tool.Name)
	}
	s.Drop("b")
	if _, err := s.Snapshot().Find("mcp_b_x", tools.Mode{}); err == nil {
		t.Error("what was dropped is there")
	}
	if _, err := now.Find("mcp_b_x", tools.Mode{}); err != nil {
		t.Errorf("the turn lost it: %v", err)
	}
}

func TestANameNeverComesToMeanAnotherTool(t *testing.T) {
	s := shelf(named("run_command"))
	told := s.Add(source(t, "a", "x", "run_command", "bash", "x"))
	if got := strings.Join(names(s.Snapshot()), " "); got != "run_command find_tools x run_command_2 bash_2 x_2" || len(told) != 3 {
		t.Errorf("%s; told %q", got, told)
	}
	told = s.Add(source(t, "b", "x"))
	if len(told) != 1 || !strings.Contains(told[0], "x_3") {
		t.Errorf("told %q", told)
	}
	s.Drop("a")
	s.Add(source(t, "b", "x"))
	if got := strings.Join(names(s.Snapshot()), " "); got != "run_command find_tools x_3" {
		t.Errorf("after a went there is %s", got)
	}
	tool, err := s.Snapshot().Find("x_3", tools.Mode{})
	if err != nil {
		t.Fatal(err)
	}
	if call, err := tool.Decode(nil); err != nil || call.Tool.Name != "x_3" {
		t.Errorf("its call is one of %s: %v", call.Tool.Name, err)
	}
}

func TestForeignNamesAreOnesThatEveryProviderTakes(t *testing.T) {
	plain := regexp.MustCompile(`^[a-z0-9_-]{1,64}$`)
	seen := map[string]string{}
	for _, parts := range [][]string{
		{"mcp", "github", "create-issue"},
		{"mcp", "github", "listIssues"},
		{"mcp", "ünïcode ☃", "läufe"},
		{"☃"},
		{"mcp", "a__b", "..//x"},
		{"mcp", strings.Repeat("long", 40), "x"},
		{"mcp", strings.Repeat("long", 40), "y"},
		{"mcp", "\x1b[31m", "read\nfile"},
	} {
		name := toolbox.ForeignName(parts...)
		if !plain.MatchString(name) || strings.Contains(name, "__") {
			t.Errorf("%q: %s", parts, name)
		}
		if other, taken := seen[name]; taken {
			t.Errorf("%q and %s are both %s", parts, other, name)
		}
		seen[name] = fmt.Sprint(parts)
	}
	if got := toolbox.ForeignName("mcp", "github", "createIssue"); got != "mcp_github_create_issue" {
		t.Error(got)
	}
}

func TestTheShelfMayBeFilledWhileOthersLook(t *testing.T) {
	s := shelf(forecast())
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 20 {
				s.Add(source(t, fmt.Sprint("s", i), fmt.Sprint("tool_", i)))
				s.Snapshot().Search("tool", tools.Mode{}, 5)
				s.Drop(fmt.Sprint("s", i))
			}
		})
	}
	all.Wait()
	if got := len(s.Snapshot().All()); got != 2 {
		t.Errorf("%d tools are left", got)
	}
}
