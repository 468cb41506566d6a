// Package near finds existing names that resemble an unknown name.
package near

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"marvin/messages/lists"
)

// least is the lowest similarity that [Similar] accepts.
const least = 0.45

// Similar returns at most n candidates that resemble a name, best first.
func Similar(name string, candidates []string, n int) []string {
	type scored struct {
		name  string
		score float64
	}
	var near []scored
	for _, candidate := range candidates {
		if score := similarity(name, candidate); score >= least {
			near = append(near, scored{candidate, score})
		}
	}
	slices.SortStableFunc(near, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return lists.Map(near[:min(n, len(near))], func(entry scored) string { return entry.name })
}

// similarity returns 1 for equal names and 0 for unrelated names. It uses the larger of two
// measures. The edit distance tolerates typing errors, and commonPairs tolerates a different word
// order.
func similarity(a, b string) float64 {
	a, b = strings.ToLower(a[:min(len(a), 80)]), strings.ToLower(b)
	edits := levenshtein.ComputeDistance(a, b)
	return max(1-float64(edits)/float64(max(len(a), len(b), 1)), commonPairs(a, b))
}

// commonPairs returns the share of letter pairs that two names have in common (the Dice
// coefficient).
func commonPairs(a, b string) float64 {
	left, right := pairs(a), pairs(b)
	common, total := 0, 0
	for pair, count := range left {
		common += min(count, right[pair])
		total += count
	}
	for _, count := range right {
		total += count
	}
	if total == 0 {
		return 0
	}
	return 2 * float64(common) / float64(total)
}

func pairs(name string) map[string]int {
	counts := map[string]int{}
	for i := 0; i+2 <= len(name); i++ {
		counts[name[i:i+2]]++
	}
	return counts
}
