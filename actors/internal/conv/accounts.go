package conv

import (
	"maps"

	"marvin/messages"
	"marvin/providers"
	"marvin/tools"
)

// This file computes the cost of requests and the totals of a session.

// Spend returns the totals of a session after a round trip, and the cost of the round trip. It
// copies the maps of the old totals, because a front end can still be reading those maps.
func (config *Setup) Spend(sums messages.Usage, choice Choice, usage providers.Usage, limited bool) (messages.Usage, float64) {
	if !usage.Estimated && !usage.Sane() {
		usage = providers.Usage{Turns: max(0, min(usage.Turns, 1000))}
	}
	cost, known := config.Cost(choice, usage, limited)
	sums.ModelTurns, sums.ModelCost = maps.Clone(sums.ModelTurns), maps.Clone(sums.ModelCost)
	turns := max(usage.Turns, 1)
	sums.Turns += turns
	sums.ModelTurns[choice.Model] += turns
	sums.ModelCost[choice.Model] += cost
	sums.Cost += cost
	sums.InputTokens += usage.Input
	sums.CachedTokens += usage.Cached
	sums.OutputTokens += usage.Output
	if usage.Estimated {
		sums.Estimated += turns
	}
	if !known && (limited || !tools.Loopback(config.Host(choice))) { // a server on this machine costs nothing
		sums.Unpriced = withName(sums.Unpriced, choice.Model)
	}
	return sums, cost
}

// Cost returns the cost of a round trip, and whether the price is known. If limited is true, Cost
// assumes a price for unpriced models, so that the conversation can reach its cost limit.
func (config *Setup) Cost(choice Choice, usage providers.Usage, limited bool) (dollars float64, known bool) {
	if _, priced := config.Models.Price.Lookup(choice.Provider, choice.Model); !priced && limited {
		return providers.AssumedPrice.Of(usage), false
	}
	return config.Models.Price.Cost(choice.Provider, choice.Model, usage)
}

func withName(names []string, name string) []string {
	for _, known := range names {
		if known == name {
			return names
		}
	}
	return append(names[:len(names):len(names)], name)
}
