package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/ui"
	"marvin/ui/view"
)

// reports implements the commands that show information, such as /usage and /doctor.
type reports struct{ *Env }

// usage tells the user the usage of this session and the total cost of all sessions.
func (r reports) usage(string) {
	r.runOutside("add up the usage", func(context.Context) func() {
		total, err := r.Host.Lifetime()
		return func() {
			r.say(sessionUsage(r.Talk.Usage) + "\n" + lifetimeUsage(total))
			if err != nil {
				r.fail(err)
			}
		}
	})
}

func sessionUsage(now messages.Usage) string {
	var text strings.Builder
	fmt.Fprintf(&text, "This session: $%.4f, %s, %s tokens in (%s cached), %s out\n",
		now.Cost, trips(now.Turns), ui.Grouped(now.InputTokens), ui.Grouped(now.CachedTokens), ui.Grouped(now.OutputTokens))
	for _, model := range byCount(now.ModelTurns) {
		fmt.Fprintf(&text, "  %s: %s, $%.4f\n", model, trips(now.ModelTurns[model]), now.ModelCost[model])
	}
	if len(now.Unpriced) > 0 {
		fmt.Fprintf(&text, "  No price is known for %s, so the cost counts as 0; with --max-cost, Marvin assumes a price.\n", strings.Join(now.Unpriced, ", "))
	}
	if now.Estimated > 0 {
		fmt.Fprintf(&text, "  The token counts of %s are estimates, because the server did not report them.\n", trips(now.Estimated))
	}
	if calls := byCount(now.ToolCalls); len(calls) > 0 {
		for i, tool := range calls {
			calls[i] = fmt.Sprintf("%s %d", tool, now.ToolCalls[tool])
		}
		fmt.Fprintf(&text, "  Tools: %s\n", strings.Join(calls, ", "))
	}
	return strings.TrimRight(text.String(), "\n")
}

// thoughts tells the user what the model thought in the latest turn.
func (r reports) thoughts(string) {
	all := r.Talk.Thoughts()
	if len(all) == 0 {
		r.say("The model showed no reasoning in the last turn.")
		return
	}
	var text strings.Builder
	for i, thought := range all {
		if i > 0 {
			text.WriteString("\n\n")
		}
		text.WriteString(view.Thought(thought.Took) + ":\n" + strings.TrimSpace(thought.Text))
	}
	r.say(text.String())
}

// blender ignores its argument, which must not reach a shell.
func (r reports) blender(string) {
	r.runOutside("ask Blender", func(ctx context.Context) func() { return r.show(r.Host.Blender(ctx)) })
}

func (r reports) tools(word string) {
	r.runOutside("list the tools", func(context.Context) func() { return r.outcome(nil, r.Host.Tools(word)) })
}

func (r reports) doctor(string) {
	r.runOutside("look at the configuration", func(ctx context.Context) func() { return r.outcome(nil, r.Host.Doctor(ctx)) })
}

func (r reports) hooks(string) {
	r.runOutside("list the hooks", func(ctx context.Context) func() { return r.outcome(nil, r.Host.Hooks(ctx)) })
}

func (r reports) servers(text string) {
	name := "look at the MCP servers"
	if text != "" {
		name = "/mcp " + text
	}
	r.runOutside(name, func(ctx context.Context) func() { return r.show(r.Host.Servers(ctx, text)) })
}

func (r reports) languages(text string) {
	r.runOutside("look at the language servers", func(ctx context.Context) func() { return r.show(r.Host.Languages(ctx, text)) })
}

func lifetimeUsage(total Lifetime) string {
	var text strings.Builder
	fmt.Fprintf(&text, "All sessions: $%.4f, %s\n", total.Cost, trips(total.Turns))
	for _, model := range byCount(total.ModelTurns) {
		fmt.Fprintf(&text, "  %s: %s\n", model, trips(total.ModelTurns[model]))
	}
	return strings.TrimRight(text.String(), "\n")
}

func trips(n int) string {
	if n == 1 {
		return "1 round trip"
	}
	return ui.Grouped(n) + " round trips"
}

// byCount returns the keys, largest count first.
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
