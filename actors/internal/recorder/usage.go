package recorder

import (
	"marvin/persistence/spending"
	"marvin/providers"
)

// addSpent adds a round trip's cost, turns and tokens to the usage so far.
func addSpent(total spending.Usage, spent Spent) spending.Usage {
	name, model := spent.Choice.Provider, spent.Choice.Model
	turns := max(spent.Usage.Turns, 1)
	if spent.Corrects {
		turns = 0
	}
	total.Cost += spent.Cost
	total.Turns += turns
	if name == providers.Ollama {
		total.OllamaTurns += turns
	}
	total.Calls = add(total.Calls, "_provider:"+name, turns)
	total.ModelTurns = add(total.ModelTurns, model, turns)
	if total.ModelCost == nil {
		total.ModelCost = map[string]float64{}
	}
	total.ModelCost[model] += spent.Cost
	if total.ProviderTokens == nil {
		total.ProviderTokens = map[string]spending.Tokens{}
	}
	tokens := total.ProviderTokens[name]
	tokens = add(tokens, "input", spent.Usage.Input)
	total.ProviderTokens[name] = add(tokens, "output", spent.Usage.Output)
	return total
}

func count(counts map[string]int, key string) map[string]int { return add(counts, key, 1) }

func add[M ~map[string]int](counts M, key string, n int) M {
	if counts == nil {
		counts = M{}
	}
	counts[key] += n
	return counts
}
