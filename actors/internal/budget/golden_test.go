package budget

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence/goldentest"
)

// conversation returns random calls; equal seeds give equal calls.
func conversation(seed uint64) (calls []string) {
	chance := rand.New(rand.NewPCG(seed, 0))
	sizes := []int{0, 40, 1500, 1584, 1600, 1640, 8000, 40_000, 80_000, 159_960, 160_000}
	names := []string{"read", "read", "read", "again", "create_file", "apply_patch", "run_command", "code_grep", "skill"}
	for range 3 + chance.IntN(9) {
		name := names[chance.IntN(len(names))]
		path := []string{"a", "b", "c", "skill:x"}[chance.IntN(4)]
		calls = append(calls, fmt.Sprint(name, " ", path, " ", sizes[chance.IntN(len(sizes))]))
	}
	return calls
}

func TestPruningAndCompactionDecisions(t *testing.T) {
	var lines []string
	add := func(format string, args ...any) {
		lines = append(lines, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", `\n`))
	}
	told := func(leaving []Removal) string {
		var text strings.Builder
		for _, one := range leaving {
			fmt.Fprintf(&text, " %d%s%s%s", one.At, map[bool]string{true: "again"}[one.Again], map[bool]string{true: "empty"}[one.Empty], map[bool]string{true: "stays"}[one.Stays])
		}
		return text.String()
	}
	for seed := range uint64(8) {
		all := saying(conversation(seed)...)
		all = append(all, messages.Message{Role: messages.Assistant, Text: "done", Model: "p/m", At: noon, Usage: messages.RoundTrip{Input: 10_000}}, messages.Message{Role: messages.User, Text: "more"})
		limits := Limits{Warn: 18_000, Compact: 20_000, Refuse: 23_000}
		input := Input{Messages: all, Turn: len(all) - 1, Fixed: 3000, Limits: limits, Count: func(text string) int { return len(text) / 4 }}
		if seed%3 == 0 {
			input.Turn = 0
		}
		plan := New(input)
		add("%s => early%s; pruned%s; left out %d, kept %d, shortened %v, %d parts, nothing to do %v", strings.Join(conversation(seed), ", "), told(ChooseEarly(input)), told(Prune(input)), len(plan.dropped), len(plan.kept), plan.trimmed, plan.Parts(), plan.Empty())
		if seed < 30 {
			add("  in words: %.600q", plan.SummaryWithoutModel())
		}
		if result, err := plan.Assemble("the summary", "/backup"); err != nil {
			add("  %v", err)
		} else {
			size := 0
			for _, message := range result.Messages {
				size += len(message.Text) + len(message.Result.Text)
			}
			add("  assembled: %d messages of %d bytes, %d to %d tokens", len(result.Messages), size, result.Before, result.After)
		}
	}
	for _, window := range []int{0, 999, 1000, 8192, 32_768, 200_000, 256_817, 256_818, 1_000_000} {
		within := Limits{}.Within(window)
		own := Limits{Warn: 5000, Compact: 6000, Refuse: 7000, Manual: true}.Within(window)
		add("a window of %d => %+v, and of one's own %+v", window, within, own)
		for _, at := range []int{within.Warn, within.Compact, within.Refuse} {
			for _, tokens := range []int{at - 1, at, at + 1} {
				said := ""
				for _, state := range []State{{Tokens: tokens}, {Tokens: tokens, Tried: tokens - 1}, {Tokens: tokens, Tried: tokens}, {Tokens: tokens, Starved: true}, {Tokens: tokens, Asked: true}, {Tokens: tokens, Tried: tokens / 2}} {
					manual := within
					manual.Manual = true
					said += fmt.Sprint(" ", within.Decide(state), "/", manual.Decide(state))
				}
				add("  %d tokens =>%s; room %d, of four %d; %s; %s", tokens, said, within.Room(tokens, 1), within.Room(tokens, 4), within.Warning(tokens), within.Refusal(tokens))
			}
		}
	}
	for _, lasts := range []time.Duration{0, time.Minute, time.Hour} {
		for _, since := range []time.Duration{0, time.Minute - 1, time.Minute, time.Hour} {
			for _, usage := range []messages.RoundTrip{{}, {Input: 4095}, {Input: 4096}, {Input: 9000, Cached: 1}, {Input: 9000, Written: 1}, {Input: 9000, Estimated: true}} {
				said := ""
				for answers := range 5 {
					var all []messages.Message
					for range answers {
						all = append(all, messages.Message{Role: messages.Assistant, Model: "p/m", At: noon, Usage: usage}, messages.Message{Role: messages.User})
					}
					for _, cache := range []Cache{{Model: "p/m"}, {Model: "p/m", Paid: true}, {Model: "p/n", Paid: true}} {
						cache.Now, cache.Lasts = noon.Add(since), lasts
						said += map[bool]string{true: "c", false: "-"}[cache.Cold(all)]
					}
					said += " "
				}
				add("kept for %s, %s ago, %+v => %s", lasts, since, usage, said)
			}
		}
	}
	goldentest.Assert(t, "decided.golden", strings.Join(lines, "\n")+"\n", os.Getenv("UPDATE_GOLDEN") != "")
}
