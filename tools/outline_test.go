package tools_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"marvin/tools"
	"marvin/tools/toolbox"
)

type watchArgs struct {
	Path  string `json:"path" doc:"The file, below the working directory" sent:""`
	Every int    `json:"every" doc:"Seconds between two looks" sent:"Seconds" default:"5" min:"1" max:"60"`
	Deep  bool   `json:"deep" doc:"Also what is below" sent:"" default:"true"`
	Loud  bool   `json:"loud" doc:"Ring a bell" sent:"" default:"false"`
	Jobs  []job  `json:"jobs,omitempty" doc:"Many" sent:""`
	Owner string `json:"owner" doc:"Whose file it is" sent:"-" default:""`
}

type job struct {
	Path  string `json:"path" doc:"One"`
	Owner string `json:"owner,omitempty" doc:"As above" sent:"-"`
}

func watchTool() tools.Tool {
	return tools.WithOutline("Watch a file. More parameters: owner.", tools.New(tools.Def[watchArgs]{
		Name: "watch", Doc: "Watch a file, and tell when it changes. Its owner may be told too.", Examples: []string{"watch {x|path}"}, Core: true,
		Run: func(_ context.Context, _ tools.Env, in watchArgs) (tools.Output, error) {
			return tools.Output{Text: in.Owner + in.Jobs[0].Owner}, nil
		},
	}))
}

func TestAnOutlineIsWhatMostCallsNeed(t *testing.T) {
	doc, schema, err := watchTool().Outline()
	if err != nil || doc != "Watch a file. More parameters: owner." {
		t.Errorf("%q, %v", doc, err)
	}
	if want := `{"type":"object","properties":{"path":{"type":"string"},"every":{"type":"integer","description":"Seconds","default":5},"deep":{"type":"boolean","default":true},"loud":{"type":"boolean"},` +
		`"jobs":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string","description":"One"}},"required":["path"]}}},"required":["path"]}`; string(schema) != want {
		t.Errorf("%s", schema)
	}
	_, again, err := watchTool().Outline()
	if err != nil || string(again) != string(schema) {
		t.Errorf("the bytes differ from one time to the next: %s, %v", again, err)
	}
	plain := forecast()
	whole, err := plain.Schema()
	if err != nil {
		t.Fatal(err)
	}
	if doc, outline, err := plain.Outline(); err != nil || doc != plain.Doc || string(outline) != string(whole) {
		t.Errorf("a tool without an outline is shown as %q, %s, %v", doc, outline, err)
	}
}

func TestParametersOutsideOutlineAreAccepted(t *testing.T) {
	watch := watchTool()
	call, err := watch.Decode(json.RawMessage(`{"path":"x","every":900,"owner":"me","jobs":[{"path":"y","owner":"you"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := call.Run(t.Context(), tools.Env{}); err != nil || out.Text != "meyou" {
		t.Errorf("%q, %v", out.Text, err)
	}
	_, err = watch.Decode(json.RawMessage(`{"path":"x","every":"often"}`))
	var registry toolbox.Registry
	registry.Add(watch)
	registry.Add(toolbox.FindTool(&registry))
	find, _ := registry.Lookup("find_tools")
	call, findErr := find.Decode(json.RawMessage(`{"query":"watch"}`))
	if findErr != nil {
		t.Fatal(findErr)
	}
	found, findErr := call.Run(t.Context(), tools.Env{})
	if err == nil || findErr != nil {
		t.Fatal(err, findErr)
	}
	for _, told := range []string{err.Error(), found.Text} {
		for _, want := range []string{"owner (string, default \"\"): Whose file it is", "every (integer, default 5, 1 to 60): Seconds between two looks", "Many; each has path, [owner]"} {
			if !strings.Contains(told, want) {
				t.Errorf("%q is not in\n%s", want, told)
			}
		}
	}
	if !strings.Contains(found.Text, "Its owner may be told too.") {
		t.Errorf("find_tools says only\n%s", found.Text)
	}
}
