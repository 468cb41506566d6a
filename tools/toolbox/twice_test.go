package toolbox

import (
	"encoding/json"
	"testing"

	"marvin/tools"
)

func TestAMisdeclaredToolIsFoundAndTakenOnce(t *testing.T) {
	bad := tools.New(tools.Def[struct{ Name string }]{Name: "bad"})
	const why = "tool bad: field Name has no json name"
	registry := &Registry{}
	registry.Add(FindTool(registry), bad)
	call, err := registry.tools[0].Decode(json.RawMessage(`{"query":"bad"}`))
	if err != nil {
		t.Fatal(err)
	}
	if output, err := call.Run(t.Context(), tools.Env{}); err == nil || err.Error() != why || output.Text != "" {
		t.Errorf("%q, %v", output.Text, err)
	}
	defer func() {
		if said := recover(); said != "tools: two tools have the name bad" {
			t.Errorf("two tools of one name: %v", said)
		}
	}()
	registry.Add(bad)
}
