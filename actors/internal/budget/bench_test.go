package budget

import (
	"strings"
	"testing"

	"marvin/providers/tokens"
)

// Planning a compaction of 200,000 tokens whose counts are known, except for the shortened texts.
// In the product this runs in a task.
func BenchmarkPlanOf200kTokens(b *testing.B) {
	all := long(said(strings.Repeat("u1111a", 18)), 16_000)
	from := input(all, 0)
	for b.Loop() {
		from.Count = new(tokens.Counter).MeterFor("openai", "gpt-5.1").Text
		if New(from).Empty() {
			b.Fatal("nothing to drop")
		}
	}
	b.ReportMetric(float64(New(from).size(all)), "tokens")
}

func BenchmarkDecide(b *testing.B) {
	for b.Loop() {
		limits := Limits{}.Within(200_000)
		if limits.Decide(State{Tokens: 190_000}) != Compact {
			b.Fatal("wrong")
		}
	}
}
