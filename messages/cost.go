package messages

import (
	"bytes"
	"encoding/json"
	"strings"
)

// costMark begins the cost line, the last line that a run without a user writes to standard error.
// Programs that start Marvin rely on the fields of this line and their order.
const costMark = "MARVIN_COST:"

type costLine struct {
	Cost       float64            `json:"session_cost"` // US dollars
	Turns      int                `json:"llm_turns"`
	ModelTurns map[string]int     `json:"model_turns"`
	ModelCost  map[string]float64 `json:"model_cost"`
}

// CostLine returns the cost line of a run, including the newline. Nil maps are encoded as {}, never
// as null.
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
		return CostLine(Usage{}) // a sum overflowed
	}
	return line.Bytes()
}

// ReadCostLine parses a cost line. It returns false for any other line, and for a cost line that is
// incomplete because the run was killed.
func ReadCostLine(line string) (Usage, bool) {
	text, marked := strings.CutPrefix(line, costMark)
	if !marked || !json.Valid([]byte(text)) {
		return Usage{}, false
	}
	var cost costLine
	if json.Unmarshal([]byte(text), &cost) != nil {
		return Usage{}, true // the JSON does not fit costLine, so the cost is unknown
	}
	return Usage{Cost: cost.Cost, Turns: cost.Turns, ModelTurns: cost.ModelTurns, ModelCost: cost.ModelCost}, true
}
