package spending

import (
	"maps"
	"slices"
)

// Usage is the content of usage.json: the model usage in all sessions and profiles. An amount to
// add to these totals is also a Usage. Costs are in US dollars.
type Usage struct {
	Cost           float64            `json:"total_cost"`
	Turns          int                `json:"total_llm_turns"`
	OllamaTurns    int                `json:"total_ollama_turns"`
	ProviderTokens map[string]Tokens  `json:"total_provider_tokens"`
	Calls          map[string]int     `json:"total_calls"` // by tool, or "_provider:gemini"
	ModelTurns     map[string]int     `json:"total_model_turns"`
	ModelCost      map[string]float64 `json:"total_model_cost,omitempty"` // missing in older files
}

// Tokens maps each kind of token to the number of tokens. The kinds are "input", "output", and
// other kinds that earlier versions of Marvin counted.
type Tokens map[string]int

func (u *Usage) add(delta Usage) {
	u.Cost = plus(u.Cost, delta.Cost)
	u.Turns = plus(u.Turns, delta.Turns)
	u.OllamaTurns = plus(u.OllamaTurns, delta.OllamaTurns)
	u.Calls = sum(u.Calls, delta.Calls)
	u.ModelTurns = sum(u.ModelTurns, delta.ModelTurns)
	if len(delta.ModelCost) > 0 {
		u.ModelCost = sum(u.ModelCost, delta.ModelCost)
	}
	providers := make(map[string]Tokens, len(u.ProviderTokens))
	maps.Copy(providers, u.ProviderTokens)
	for provider, tokens := range delta.ProviderTokens {
		providers[provider] = sum(providers[provider], tokens)
	}
	u.ProviderTokens = providers
}

// Unknown is the key for calls of nonexistent tools. It also replaces names longer than longestName
// bytes, and new names in totals that already contain mostNames names.
const Unknown = "(unknown)"

// Models can invent tool names, so the length and the number of names are limited.
const (
	longestName = 200
	mostNames   = 2000
)

// limited creates a copy of u that counts overlong and surplus names as [Unknown].
func (u Usage) limited() Usage {
	u.Calls, u.ModelTurns, u.ModelCost = limitNames(u.Calls), limitNames(u.ModelTurns), limitNames(u.ModelCost)
	return u
}

func limitNames[M ~map[string]N, N int | float64](counts M) M {
	if counts == nil {
		return nil
	}
	total := make(M, len(counts))
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		total[countingKey(total, name)] += counts[name]
	}
	return total
}

// countingKey returns the key under which the totals count a name: the name itself, or [Unknown].
func countingKey[M ~map[string]N, N int | float64](total M, name string) string {
	if _, known := total[name]; !known && (len(name) > longestName || len(total) >= mostNames) {
		return Unknown
	}
	return name
}

// sum adds two maps by key. The result is never nil, because earlier versions of Marvin expect "{}"
// instead of "null".
func sum[M ~map[string]N, N int | float64](a, b M) M {
	total := make(M, len(a)+len(b))
	for _, counts := range []M{a, b} {
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			key := countingKey(total, name)
			total[key] = plus(total[key], counts[name])
		}
	}
	return total
}

// mostSum limits each sum, because a hostile or broken server could make a sum overflow.
const mostSum = 1 << 53

// plus returns sum+delta, limited to the range from 0 to mostSum. A sum that overflowed in an
// earlier version of Marvin counts as 0. A delta below -mostSum or above mostSum also counts as 0.
func plus[N int | float64](sum, delta N) N {
	if !(sum >= 0 && sum <= mostSum) {
		sum = 0
	}
	if !(delta >= -mostSum && delta <= mostSum) {
		return sum
	}
	return min(max(sum+delta, 0), mostSum)
}
