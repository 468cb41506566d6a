package messages

import (
	"bytes"
	"encoding/json"
	"strings"
)

// costMark begins the line of costs, the last one on standard error of a run without a
// person. Its fields and their order are a contract with those who start Marvin.
const costMark = "MARVIN_COST:"

type costLine struct {
	Cost       float64            `json:"session_cost"` // US dollars
	Turns      int                `json:"llm_turns"`
	ModelTurns map[string]int     `json:"model_turns"`
	ModelCost  map[string]float64 `json:"model_cost"`
}

// CostLine is what a run cost as one line with its end; empty maps are {}, never null.
func CostLine(usage Usage) []byte {
	cost := costLine{usage.Cost, usage.Turns, usage.ModelTurns, usage.ModelCost}
	if cost.ModelTurns == nil {
		cost.ModelTurns = map[string]int{}
	}
	if cost.ModelCost == nil {
		cost.ModelCost = map[string]float64{}
	}
	var line bytes.Buffer
	line.WriteString(costMark)
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(cost); err != nil {
		return CostLine(Usage{}) // a sum that overflowed
	}
	return line.Bytes()
}

// ReadCostLine reads what a run cost. It is false for a line that is no line of costs, or
// half of one, as a run leaves that was killed.
func ReadCostLine(line string) (Usage, bool) {
	text, marked := strings.CutPrefix(line, costMark)
	if !marked || !json.Valid([]byte(text)) {
		return Usage{}, false
	}
	var cost costLine
	if json.Unmarshal([]byte(text), &cost) != nil {
		return Usage{}, true // of another kind: what it cost is not known
	}
	return Usage{Cost: cost.Cost, Turns: cost.Turns, ModelTurns: cost.ModelTurns, ModelCost: cost.ModelCost}, true
}
