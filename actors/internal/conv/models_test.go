package conv

import (
	"testing"

	"marvin/providers"
)

func TestACostLimitRejectsAFallbackWithoutAPrice(t *testing.T) {
	failed, other := Choice{Provider: "openai", Model: "a"}, Choice{Provider: "groq", Model: "b"}
	for _, c := range []struct {
		name   string
		limit  float64
		prices providers.Prices
		want   bool
	}{
		{"without a limit", 0, nil, true},
		{"with a limit, without a price", 1, nil, false},
		{"with a limit and a price", 1, providers.Prices{"groq/b": {Input: 1}}, true},
	} {
		var setup Setup
		setup.Models = Models{Price: c.prices, Fallback: func(Choice) (Choice, bool) { return other, true }}
		var begin LiveConversation
		begin.Choice, begin.Policy.Limits.Cost = failed, c.limit
		if got, ok := setup.Next(begin, failed, nil, nil); ok != c.want || ok && got != other {
			t.Errorf("%s: %+v, %v", c.name, got, ok)
		}
	}
}
