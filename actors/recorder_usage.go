package actors

import (
	"marvin/persistence/spending"
	"marvin/providers"
)

// addSpent folds a round trip into what is to be added to usage.json.
func addSpent(total spending.Usage, spent spent) spending.Usage {
	name, model := spent.choice.Provider, spent.choice.Model
	turns := max(spent.usage.Turns, 1)
	if spent.corrects {
		turns = 0
	}
	total.Cost += spent.cost
	total.Turns += turns
	if name == providers.Ollama {
		total.OllamaTurns += turns
	}
	total.Calls = add(total.Calls, "_provider:"+name, turns)
	total.ModelTurns = add(total.ModelTurns, model, turns)
	if total.ModelCost == nil {
		total.ModelCost = map[string]float64{}
	}
	total.ModelCost[model] += spent.cost
	if total.ProviderTokens == nil {
		total.ProviderTokens = map[string]spending.Tokens{}
	}
	tokens := total.ProviderTokens[name]
	tokens = add(tokens, "input", spent.usage.Input)
	total.ProviderTokens[name] = add(tokens, "output", spent.usage.Output)
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
