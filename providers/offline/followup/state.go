package followup

import (
	"encoding/json"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/providers/offline/lines"
)

// State is everything that the next request can refer to.
type State struct {
	Last   Step    // the last call, or the zero Step if there was none
	List   []Thing // the entries in the last result
	things []Thing // named things, most recent last
	spot   Thing   // the most recent location argument
}

// longest is the number of recent exchanges that a request can refer to. Users rarely say "it"
// about older things.
const longest = 20

// StateAfter returns the state at the end of a conversation.
func StateAfter(list []Exchange) State {
	var s State
	for _, exchange := range list[max(0, len(list)-longest):] {
		for _, step := range exchange.Steps {
			s.add(step)
		}
	}
	return s
}

func (s *State) add(step Step) {
	s.Last = step
	list := listed(step)
	if len(list) > 0 {
		s.List = list
	}
	if spot, ok := spotted(step); ok {
		s.spot = spot
	}
	if thing, ok := named(step); ok {
		s.things = append(slices.DeleteFunc(s.things, thing.same), thing)
	} else if len(list) == 1 {
		s.things = append(s.things, list[0])
	}
	if gone, ok := removed(step); ok {
		s.things = slices.DeleteFunc(s.things, gone.same)
	}
}

// Done reports whether the call succeeded.
func Done(result messages.ToolResult) bool {
	return result.Status == messages.OK || result.Status == ""
}

// It resolves the word "it" to the most recent thing of the given kind. An empty kind matches any
// thing. For [Spot], the word is "there".
func (s State) It(kind Kind) (Thing, bool) {
	if kind == Spot {
		return s.spot, s.spot.Name != ""
	}
	for _, thing := range slices.Backward(s.things) {
		if kind == "" || thing.Kind == kind {
			return thing, true
		}
	}
	return Thing{}, false
}

// At returns an entry of the most recent list. Position 1 is the first entry, and -1 is the last.
// If kind is not empty, the entry must be of that kind.
func (s State) At(position int, kind Kind) (Thing, bool) {
	list := s.List
	if position < 0 {
		position = len(list) + 1 + position
	}
	if position < 1 || position > len(list) || kind != "" && list[position-1].Kind != kind {
		return Thing{}, false
	}
	return list[position-1], true
}

// Args returns the arguments of a call, or an empty map if they cannot be decoded.
func Args(call messages.ToolCall) map[string]any {
	args := map[string]any{}
	if json.Unmarshal(call.Args, &args) != nil {
		return map[string]any{}
	}
	return args
}

func text(args map[string]any, name string) string {
	value, _ := args[name].(string)
	return strings.TrimSpace(value)
}

func removed(step Step) (Thing, bool) {
	if !Done(step.Result) {
		return Thing{}, false
	}
	args := Args(step.Call)
	if step.Call.Name == "run_command" {
		path, ok := lines.RemovedPath(text(args, "command"))
		return Thing{Kind: File, Name: path}, ok
	}
	for kind, verbs := range verbs {
		if act := verbs[Delete]; act.tool == step.Call.Name {
			return Thing{Kind: kind, Name: text(args, act.parameter)}, true
		}
	}
	return Thing{}, false
}
