package messages

import (
	"maps"
	"slices"
)

// Plus returns the sum of two usages, with new, non-nil maps. It leaves the maps of both operands
// unchanged, because a front end could be reading them.
func (u Usage) Plus(more Usage) Usage {
	u.ModelTurns = added(u.ModelTurns, more.ModelTurns)
	u.ModelCost = added(u.ModelCost, more.ModelCost)
	u.ToolCalls = added(u.ToolCalls, more.ToolCalls)
	u.Turns += more.Turns
	u.Cost += more.Cost
	u.InputTokens += more.InputTokens
	u.CachedTokens += more.CachedTokens
	u.OutputTokens += more.OutputTokens
	u.Estimated += more.Estimated
	for _, model := range more.Unpriced {
		if !slices.Contains(u.Unpriced, model) {
			u.Unpriced = append(slices.Clip(u.Unpriced), model)
		}
	}
	return u
}

func added[N int | float64](sums, more map[string]N) map[string]N {
	all := make(map[string]N, len(sums)+len(more))
	maps.Copy(all, sums)
	for name, n := range more {
		all[name] += n
	}
	return all
}
