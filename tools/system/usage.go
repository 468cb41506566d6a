package system

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence/spending"
	"marvin/tools"
)

type usageArgs struct {
	Lifetime bool `json:"include_lifetime" doc:"Also show totals for all sessions" default:"false"`
}

func (s Service) usageTool() tools.Tool {
	return tools.New(tools.Def[usageArgs]{
		Name:     "get_usage",
		Doc:      "Show what this session has cost so far: US dollars, model turns, tokens and tool calls. Can include all sessions.",
		Examples: []string{"how much did I spend", "what did this session cost", "show my usage"},
		Run:      s.usage,
	})
}

func (s Service) usage(_ context.Context, env tools.Env, in usageArgs) (tools.Output, error) {
	var out strings.Builder
	writeSession(&out, env.Usage)
	if in.Lifetime {
		total, err := spending.Of(s.home).Usage()
		if err != nil {
			fmt.Fprintf(&out, "\nThe totals for all sessions cannot be read: %v\n", err)
		} else {
			writeLifetime(&out, total)
		}
	}
	return tools.Output{Text: strings.TrimSuffix(out.String(), "\n")}, nil
}

func writeSession(out *strings.Builder, usage messages.Usage) {
	fmt.Fprintf(out, "Session: %s, %s\n", dollars(usage.Cost), turns(usage.Turns))
	writeModels(out, usage.ModelTurns, usage.ModelCost)
	fmt.Fprintf(out, "Tokens: %d in (%d of them cached), %d out\n", usage.InputTokens, usage.CachedTokens, usage.OutputTokens)
	writeCounts(out, "Tool calls", usage.ToolCalls)
	if usage.Estimated > 0 {
		fmt.Fprintf(out, "Estimated: %s, because the server did not report their tokens\n", turns(usage.Estimated))
	}
	if len(usage.Unpriced) > 0 {
		fmt.Fprintf(out, "Price unknown, counted as 0: %s (with --max-cost, Marvin assumes a price). Set prices under \"prices:\" in ~/.config/marvin/config.yaml\n",
			strings.Join(usage.Unpriced, ", "))
	}
}

// writeLifetime writes the totals of all sessions, including the current turn.
func writeLifetime(out *strings.Builder, usage spending.Usage) {
	fmt.Fprintf(out, "\nAll sessions: %s, %s", dollars(usage.Cost), turns(usage.Turns))
	if usage.OllamaTurns > 0 {
		fmt.Fprintf(out, ", %d by Ollama", usage.OllamaTurns)
	}
	out.WriteByte('\n')
	writeModels(out, usage.ModelTurns, usage.ModelCost)
	for _, provider := range slices.Sorted(maps.Keys(usage.ProviderTokens)) {
		tokens := usage.ProviderTokens[provider]
		fmt.Fprintf(out, "Tokens for %s: %d in, %d out\n", provider, tokens["input"], tokens["output"])
	}
	calls := maps.Clone(usage.Calls)
	maps.DeleteFunc(calls, func(name string, _ int) bool { return strings.HasPrefix(name, "_provider:") })
	writeCounts(out, "Tool calls", calls)
}

func writeModels(out *strings.Builder, counts map[string]int, costs map[string]float64) {
	for _, model := range byCount(counts) {
		fmt.Fprintf(out, "  %s: %s", model, turns(counts[model]))
		if cost, ok := costs[model]; ok {
			fmt.Fprintf(out, ", %s", dollars(cost))
		}
		out.WriteByte('\n')
	}
}

func writeCounts(out *strings.Builder, title string, counts map[string]int) {
	if len(counts) == 0 {
		return
	}
	texts := lists.Map(byCount(counts), func(name string) string { return fmt.Sprintf("%s %d", name, counts[name]) })
	fmt.Fprintf(out, "%s: %s\n", title, strings.Join(texts, ", "))
}

// byCount returns the names, most frequent first.
func byCount(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
}

func turns(n int) string {
	if n == 1 {
		return "1 model turn"
	}
	return fmt.Sprintf("%d model turns", n)
}

// dollars returns a cost as text. Amounts below one dollar get four decimals, because requests to
// cheap models cost fractions of a cent.
func dollars(cost float64) string {
	if cost != 0 && cost < 1 {
		return fmt.Sprintf("$%.4f", cost)
	}
	return fmt.Sprintf("$%.2f", cost)
}
