package messages

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestTheLineOfCostsIsReadAsItWasWritten(t *testing.T) {
	for _, usage := range []Usage{
		{ModelTurns: map[string]int{}, ModelCost: map[string]float64{}},
		{Cost: 1.25, Turns: 3, ModelTurns: map[string]int{"a<b>": 2, "c": 1}, ModelCost: map[string]float64{"a<b>": 1, "c": 0.25}},
	} {
		line := string(CostLine(usage))
		if read, ok := ReadCostLine(strings.TrimSuffix(line, "\n")); !ok || !reflect.DeepEqual(read, usage) {
			t.Errorf("%q is read as %+v, %v", line, read, ok)
		}
	}
	const nothing = `MARVIN_COST:{"session_cost":0,"llm_turns":0,"model_turns":{},"model_cost":{}}` + "\n"
	for _, usage := range []Usage{{}, {Cost: math.Inf(1)}, {ModelCost: map[string]float64{"m": math.NaN()}}} {
		if line := string(CostLine(usage)); line != nothing {
			t.Errorf("%+v is %q", usage, line)
		}
	}
	for line, want := range map[string]bool{
		"": false, "MARVIN_COST:": false, `MARVIN_COST:{"session`: false, " " + nothing: false,
		`MARVIN_COST:{}`: true, `MARVIN_COST:{"llm_turns":"two"}`: true, strings.TrimSuffix(nothing, "\n"): true,
	} {
		if usage, ok := ReadCostLine(line); ok != want || usage.Turns != 0 || usage.Cost != 0 {
			t.Errorf("%q: %+v, %v", line, usage, ok)
		}
	}
}
