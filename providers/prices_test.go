package providers

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestCost(t *testing.T) {
	tenth := 0.1
	prices, err := NewPrices(map[string]Price{
		"my-model":     {Input: 1, Output: 2, Cached: &tenth},
		"groq/special": {Input: 4, Output: 4},
	})
	if err != nil {
		t.Fatal(err)
	}
	million := Usage{Input: 1e6, Output: 1e6, Known: true}
	cached := Usage{Input: 1e6, Cached: 5e5, Known: true}
	tests := []struct {
		name, provider, model string
		usage                 Usage
		want                  float64
		ok                    bool
	}{
		{"paid for by a plan", "chatgpt", "gpt-5.1", million, 0, true},
		{"listed", "openai", "gpt-5.1", million, 10, true},
		{"cached at full price when no other is known", "openai", "gpt-5.1", cached, 2, true},
		{"cached at its own price", "openai", "my-model", cached, 0.55, true},
		{"as Gemini lists it", "gemini", "models/gemini-3-pro-preview", million, 11.25, true},
		{"with a maker", OpenAICompat, "anthropic/claude-sonnet-4.5", million, 18, true},
		{"with maker, date and hyphens", OpenAICompat, "anthropic/claude-haiku-4-5-20251001", million, 4.8, true},
		{"with a date", "openai", "gpt-5.1-2025-11-13", million, 10, true},
		{"a free variant", OpenAICompat, "qwen/qwen3-32b:free", million, 0, true},
		{"local", Ollama, "whatever:7b", million, 0, true},
		{"built in, without token counts", Offline, "built-in", Usage{}, 0, true},
		{"unknown", "openai", "gpt-6", million, 0, false},
		{"a sibling is another model", "openai", "gpt-5.1-mini", million, 0, false},
		{"a tuned one is another model", "openai", "ft:gpt-5.1:us", million, 0, false},
		{"a faster one is another model", OpenAICompat, "openai/gpt-5.1:nitro", million, 0, false},
		{"a price at one provider holds there", OpenAICompat, "qwen/qwen3-32b", million, 0.4, true},
		{"and only there", "groq", "qwen/qwen3-32b", million, 0, false},
		{"own price at one provider", "groq", "special", million, 8, true},
		{"tokens not reported", "openai", "gpt-5.1", Usage{}, 0, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := prices.Cost(test.provider, test.model, test.usage)
			if ok != test.ok || math.Abs(got-test.want) > 1e-9 {
				t.Errorf("got %v, %v; want %v, %v", got, ok, test.want, test.ok)
			}
		})
	}
}

func TestOwnPricesReplaceBuiltInOnes(t *testing.T) {
	prices, err := NewPrices(map[string]Price{"GPT-5.1": {Input: 1, Output: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if price, ok := prices.Lookup("openai", "gpt-5.1"); !ok || price.Input != 1 {
		t.Errorf("got %v, %v", price, ok)
	}
	builtIn, err := NewPrices(nil)
	if err != nil {
		t.Fatal(err)
	}
	if price, ok := builtIn.Lookup("openai", "gpt-5.1"); !ok || price.Input != 2 {
		t.Errorf("the built-in table changed: %v, %v", price, ok)
	}
}

func TestImpossiblePricesAreRefused(t *testing.T) {
	for _, price := range []Price{{Input: -1}, {Output: math.NaN()}, {Input: math.Inf(1)}} {
		if _, err := NewPrices(map[string]Price{"m": price}); err == nil || !strings.Contains(err.Error(), "price of m") {
			t.Errorf("%v: error is %v", price, err)
		}
	}
}

// A later list overrides an earlier one for its models, even if the earlier one has a price for one
// provider, a maker or a release date; a price for one provider leaves the others unchanged.
func TestLaterListsWin(t *testing.T) {
	prices, err := NewPrices(
		map[string]Price{"groq/a": {Input: 1}, "openai/gpt-5.1-2025-11-13": {Input: 1}, "b": {Input: 1}, "gpt-5.2": {Input: 1}},
		map[string]Price{"A": {Input: 2}, "gpt-5.1": {Input: 2}, "groq/b": {Input: 2}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		provider, model string
		want            float64
	}{
		{"groq", "a", 2}, {"openai", "gpt-5.1-2025-11-13", 2}, {"groq", "b", 2}, {"openai", "b", 1}, {"openai", "gpt-5.2", 1}, {"openai", "gpt-5.3-codex", 3},
	} {
		if price, ok := prices.Lookup(test.provider, test.model); !ok || price.Input != test.want {
			t.Errorf("%s/%s: %v, %v", test.provider, test.model, price, ok)
		}
	}
}

// Models have the names that are used in requests, including names that contain a slash.
func TestPricedModelsAreNamedAsTheyAreAskedFor(t *testing.T) {
	names := Priced()
	for _, want := range []string{"gpt-5.2", "qwen/qwen3-32b"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not among %v", want, names)
		}
	}
}
