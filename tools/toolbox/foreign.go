package toolbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/params"
)

// Models sometimes call other agents' tools, because they were trained with those tools. If exactly
// one of Marvin's tools corresponds to the call, Marvin runs that tool and names it in the result.
// The schemas do not mention other agents' tools, so this feature costs no tokens.

// meaning is a record of which of Marvin's tools corresponds to another agent's tool.
type meaning struct {
	tool string
	// fold, if not nil, changes the call's arguments to those of Marvin's tool.
	fold func(values map[string]any)
	// choose selects one of several tools by the call's arguments. Its error tells the model the next
	// step.
	choose func(values map[string]any) (tool string, err error)
}

// findForeign returns the tool that corresponds to another agent's tool name. The given function
// returns the reason why a tool must not be called, or "".
func (r *Registry) findForeign(name string, refusal func(tools.Tool) string) (tools.Tool, bool) {
	spelled := params.Snake(name)
	if i, ok := r.byName[ForeignName(name)]; ok && i >= len(r.OwnTools()) { // mcp__server__tool
		return r.tools[i], true
	}
	if i := strings.LastIndex(spelled, "__"); i >= 0 { // remove the name of a server
		spelled = spelled[i+2:]
	}
	spelled = spelled[strings.LastIndexByte(spelled, '.')+1:]
	if i, ok := r.byName[spelled]; ok {
		return r.tools[i], true
	}
	means, ok := meanings()[spelled]
	if !ok {
		return tools.Tool{}, false
	}
	i, ok := r.byName[means.tool]
	if !ok {
		return tools.Tool{}, false
	}
	return r.tools[i].WithDecoder(func(raw json.RawMessage) (tools.Call, error) {
		return r.decodeForeign(means, params.Clip(name, 80), raw, refusal)
	}), true
}

// decodeForeign converts a call to another agent's tool into a call to the corresponding tool of
// Marvin.
func (r *Registry) decodeForeign(means meaning, name string, raw json.RawMessage, refusal func(tools.Tool) string) (tools.Call, error) {
	target := r.tools[r.byName[means.tool]]
	values, err := params.DecodeObject(raw)
	if err != nil {
		return target.Decode(raw) // the error from Decode lists the tool's parameters
	}
	for key, value := range values {
		if plain := params.Snake(key); plain != key {
			delete(values, key)
			values[plain] = value
		}
	}
	if means.choose != nil {
		chosen, err := means.choose(values)
		if err != nil {
			return tools.Call{}, err
		}
		target = r.tools[r.byName[chosen]]
		if why := refusal(target); why != "" {
			return tools.Call{}, fmt.Errorf("%w: %s is not available: %s", tools.ErrForbidden, target.Name, why)
		}
	}
	if means.fold != nil {
		means.fold(values)
	}
	known := target.Parameters()
	for _, remark := range remarks {
		if !slices.Contains(known, remark) {
			delete(values, remark)
		}
	}
	encoded, err := json.Marshal(values)
	if err != nil {
		return tools.Call{}, fmt.Errorf("the arguments of %s: %w", name, err)
	}
	call, err := target.Decode(encoded)
	if err != nil {
		return tools.Call{}, err
	}
	return call.WithNameNote(name), nil
}

// remarks contains names of other agents' arguments. decodeForeign deletes those arguments that are
// not parameters of Marvin's tool.
var remarks = []string{
	"description", "explanation", "justification", "reason", "reasoning", "thought", "intent", "requires_approval", "with_escalated_permissions", "sandbox_permissions",
	"task_progress", "toolcall_id", "dangerously_disable_sandbox", "should_read_entire_file", "is_regexp", "yield_time_ms", "max_output_tokens", "login", "tty",
}
