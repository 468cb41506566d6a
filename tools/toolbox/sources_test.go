package toolbox_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"marvin/tools"
	"marvin/tools/toolbox"
)

func TestASourceInShort(t *testing.T) {
	one := source(t, "one", "mcp_one_a", "mcp_one_b")
	one.Tools = append(one.Tools, stranger(t, tools.Definition{Name: "mcp_one_c", Effect: tools.Reads}))
	two := source(t, "two", "mcp_one_a")
	if got := fmt.Sprintf("%+v", toolbox.Summarize(one)); got != "{Name:one Tools:3 Reads:1 Names:mcp_one_a mcp_one_b mcp_one_c}" {
		t.Error(got)
	}
	s := shelf(named("own_tool"))
	s.Add(one)
	s.Add(two)
	for what, want := range map[*toolbox.Source]string{&one: "{Name:one Tools:3 Reads:1 Names:mcp_one_a mcp_one_b mcp_one_c}", &two: "{Name:two Tools:1 Reads:0 Names:}"} {
		if got := fmt.Sprintf("%+v", s.Summary(*what)); got != want {
			t.Errorf("%s: %s", what.Name, got)
		}
	}
	if told := s.AddKnown(source(t, "two", "mcp_two_x")); told != nil {
		t.Errorf("what was kept is reported: %q", told)
	}
	if told := s.AddKnown(source(t, "three", "own_tool")); len(told) != 1 || told[0] != "three has a tool called own_tool, but that name is already in use; here the tool is called own_tool_2" {
		t.Errorf("%q", told)
	}
	if got := strings.Join(names(s.Snapshot()), " "); got != "own_tool find_tools mcp_one_a mcp_one_b mcp_one_c own_tool_2 mcp_one_a_2" {
		t.Error(got)
	}
	for mode, want := range map[string]string{"all": "one (3) three (1) two (1)", "reading": "one (1)", "an agent": "one (1) two (1)"} {
		asked := map[string]tools.Mode{"all": {}, "reading": {ReadOnly: true}, "an agent": {Only: []string{"mcp_one_b", "mcp_one_a_2"}}}[mode]
		if got := strings.Join(s.Snapshot().HiddenSources(asked), " "); got != want {
			t.Errorf("%s: behind find_tools are %s", mode, got)
		}
	}
	if got := toolbox.NewShelf(&toolbox.Registry{}).Snapshot().HiddenSources(tools.Mode{}); got != nil {
		t.Errorf("without sources there are %q", got)
	}
	long := source(t, strings.Repeat("n", 70)+"\x1b", "mcp_long_x")
	s.Add(long)
	if got := s.Snapshot().HiddenSources(tools.Mode{}); !strings.HasPrefix(got[0], strings.Repeat("n", 64)+"… (1)") {
		t.Errorf("%q", got)
	}
	longest := strings.Repeat("m", 64)
	s = shelf(named(longest))
	if told := s.Add(source(t, "a", longest, longest)); len(told) != 2 {
		t.Errorf("%q", told)
	}
	if got := names(s.Snapshot()); got[2] != longest[:62]+"_2" || got[3] != longest[:62]+"_3" {
		t.Errorf("%q", got)
	}
	for name, want := range map[string]bool{longest: true, "bash": true, "find_tools": true, longest[:62] + "_2": false, "other": false} {
		base := &toolbox.Registry{}
		base.Add(named(longest), named("find_tools"))
		if base.IsTaken(name) != want {
			t.Errorf("%s is taken: %v", name, !want)
		}
	}
}

func TestCatalogIsFilledOnDemand(t *testing.T) {
	s, fills := stocked(t, 50, true)
	if got := len(s.CurrentSnapshot().All()); got != 51 || *fills != 0 {
		t.Errorf("before anybody looked there are %d tools, read %d times", got, *fills)
	}
	now := s.Snapshot()
	if got := now.Hidden(tools.Mode{}, 0); got != 54-len(now.Offer(tools.Mode{}, 0)) || *fills != 0 {
		t.Errorf("%d are hidden, read %d times", got, *fills)
	}
	few, _ := stocked(t, 2, true)
	if got := few.Snapshot().Hidden(tools.Mode{}, 0); got != 1 { // find_tools, which does not count as hidden
		t.Errorf("of few %d are hidden", got)
	}
	empty := toolbox.NewShelf(&toolbox.Registry{})
	empty.Fill(toolbox.Stock{})
	if got := len(empty.Snapshot().All()); got != 0 {
		t.Errorf("an empty shelf has %d", got)
	}
	if got := len(empty.Load().All()); got != 0 {
		t.Errorf("an empty shelf is filled with %d", got)
	}
	empty.Add(source(t, "a", "mcp_a_x"))
	if got := names(empty.Snapshot()); len(got) != 1 {
		t.Errorf("then it has %q", got)
	}
	s = shelf(named("own_tool"))
	for i := range 45 {
		s.Add(source(t, fmt.Sprint("s", i), fmt.Sprintf("mcp_s%d_x", i)))
	}
	find := func() string {
		tool, err := s.Snapshot().Find("find_tools", tools.Mode{})
		if err != nil {
			t.Fatal(err)
		}
		call, err := tool.Decode([]byte(`{"query":"giraffes"}`))
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		output, err := call.Run(t.Context(), tools.Env{Progress: func(line string) { said = append(said, line) }})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(append(said, output.Offer...), " ")
	}
	if got := find(); got != "" {
		t.Errorf("before it is looked for: %s", got)
	}
	s.Seek(func(ctx context.Context, say func(string)) {
		say("asking the zoo")
		s.Add(toolbox.Source{Name: "zoo", Tools: []tools.Tool{stranger(t, tools.Definition{Name: "mcp_zoo_giraffes", Doc: "Giraffes."})}})
	})
	if got := find(); got != "asking the zoo mcp_zoo_giraffes" {
		t.Errorf("%s", got)
	}
}

// A later request adds the tools that the conversation lacks. Tools that sources added meanwhile
// are added only if the model has no find_tools.
func TestToolsAddedDuringSession(t *testing.T) {
	s := shelf(named("a"), named("b"))
	s.Add(source(t, "one", "mcp_one_x"))
	for _, row := range []struct {
		what, has string
		began     bool
		want      string
	}{
		{"nothing yet", "", false, "a b mcp_one_x"},
		{"it began with nothing", "", true, "a b mcp_one_x"},
		{"it has one", "a", true, "b mcp_one_x"},
		{"it can search", "a find_tools", true, "b"},
		{"it can search, and begins", "a find_tools", false, "b mcp_one_x"},
		{"it has all", "a b mcp_one_x", true, ""},
	} {
		list := s.Snapshot().OfferedSince(tools.Mode{}, 0, row.began, func(name string) bool { return strings.Contains(" "+row.has+" ", " "+name+" ") })
		var got []string
		for _, tool := range list {
			got = append(got, tool.Name)
		}
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s: %s, want %s", row.what, got, row.want)
		}
	}
	only := s.Snapshot().Offer(tools.Mode{Only: []string{"b", "mcp_one_x"}}, 0)
	if len(only) != 2 || only[0].Name != "b" {
		t.Errorf("a sub-agent is offered %d tools", len(only))
	}
	registry := &toolbox.Registry{}
	registry.Section("Notes")
	registry.Add(named("note"))
	registry.AddUndoing(named("put_back"))
	if tool, ok := registry.Lookup("note"); !ok || tool.Section != "Notes" {
		t.Errorf("it stands in %q", tool.Section)
	}
	if _, ok := registry.Lookup("put_back"); ok || len(registry.All()) != 1 {
		t.Error("what takes calls back is seen")
	}
	if _, ok := registry.WithUndoing().Lookup("put_back"); !ok || len(registry.WithUndoing().All()) != 2 {
		t.Error("/undo does not find it")
	}
	if on := toolbox.NewShelf(registry); true {
		on.Add(source(t, "one", "mcp_one_x"))
		if _, ok := on.Snapshot().WithUndoing().Lookup("put_back"); !ok {
			t.Error("/undo does not find it on a shelf")
		}
	}
}
