package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// usage says what this session and all sessions cost.
func (e *Engine) usage(string) {
	e.beside("add up the usage", func(context.Context) func() {
		total, err := e.Host.Lifetime()
		return func() {
			e.say(e.sessionUsage() + "\n" + lifetimeUsage(total))
			if err != nil {
				e.fail(err)
			}
		}
	})
}

func (e *Engine) sessionUsage() string {
	now := e.Talk.Usage
	var text strings.Builder
	fmt.Fprintf(&text, "This session: $%.4f, %s, %s tokens in (%s cached), %s out\n",
		now.Cost, trips(now.Turns), grouped(now.InputTokens), grouped(now.CachedTokens), grouped(now.OutputTokens))
	for _, model := range byCount(now.ModelTurns) {
		fmt.Fprintf(&text, "  %s: %s, $%.4f\n", model, trips(now.ModelTurns[model]), now.ModelCost[model])
	}
	if len(now.Unpriced) > 0 {
		fmt.Fprintf(&text, "  The price of %s is unknown and counted as 0.\n", strings.Join(now.Unpriced, ", "))
	}
	if now.Estimated > 0 {
		fmt.Fprintf(&text, "  The tokens of %s are estimated: the server did not tell them.\n", trips(now.Estimated))
	}
	if calls := byCount(now.ToolCalls); len(calls) > 0 {
		for i, tool := range calls {
			calls[i] = fmt.Sprintf("%s %d", tool, now.ToolCalls[tool])
		}
		fmt.Fprintf(&text, "  Tools: %s\n", strings.Join(calls, ", "))
	}
	return strings.TrimRight(text.String(), "\n")
}

func lifetimeUsage(total Lifetime) string {
	var text strings.Builder
	fmt.Fprintf(&text, "All sessions: $%.4f, %s\n", total.Cost, trips(total.Turns))
	for _, model := range byCount(total.ModelTurns) {
		fmt.Fprintf(&text, "  %s: %s\n", model, trips(total.ModelTurns[model]))
	}
	return strings.TrimRight(text.String(), "\n")
}

// trips counts questions to a model.
func trips(n int) string {
	if n == 1 {
		return "1 round trip"
	}
	return grouped(n) + " round trips"
}

// byCount are the keys of counts, the largest count first.
func byCount(counts map[string]int) []string {
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	return names
}

// grouped is a number with a comma before every three digits.
func grouped(n int) string {
	digits := fmt.Sprint(n)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
