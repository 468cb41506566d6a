package schedule

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// noise is a set of kinds of differences to ignore when two results of a tool are compared.
type noise uint8

const (
	ages      noise = 1 << iota // "3 minutes ago", "vor 2 Stunden"
	clocks                      // 14:05, 14:05:33, 2026-11-28T14:05Z
	durations                   // 3m12s
	order                       // the order of the lines
)

// noisy is a map from tools to the differences to ignore in their results. For all other tools,
// only differences in white space are ignored. Tools that report times, such as the clock and the
// calendar, are not in the map.
var noisy = map[string]noise{
	"weather_forecast": clocks | ages,
	"web_search":       ages | order, "search_news": ages | order, "browse_web": ages | clocks, "scrape_page": ages | clocks, "read_rss": ages,
	"wiki_search": ages, "wiki_summary": ages, "stack_search": ages, "stack_answers": ages, "search_papers": order, "search_arxiv": order,
	"github_checks": ages | clocks | durations | order, "github_watch": ages | clocks | durations, "github_pr_list": ages, "github_pr_view": ages, "github_search": ages | order,
	"steam_featured": order, "steam_player_stats": ages, "jobs": ages | clocks | durations, "find_files": order, commandTool: ages | clocks | durations, "tree": 0,
}

var patterns = sync.OnceValue(func() map[noise]*regexp.Regexp {
	return map[noise]*regexp.Regexp{
		ages:      regexp.MustCompile(`(?i)\b(?:(?:about |over |almost )?(?:\d+|an?) ?(?:s|sec|second|m|min|minute|h|hr|hour|d|day|w|week|month|y|year)s? ago|just now|vor \d+ (?:sekunde|minute|stunde|tag|woche)\pL*|il y a \d+ \pL+)`),
		clocks:    regexp.MustCompile(`(?:\d{4}-\d\d-\d\d[T ])?\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?(?:Z|UTC|GMT|[ap]\.?m\.?)|[+-]\d\d:?\d\d)?`),
		durations: regexp.MustCompile(`\b(?:\d+h)?(?:\d+m)?\d+(?:\.\d+)?(?:s|ms)\b|\b\d+h\d*m?\b|\b\d+m\b`),
	}
})

// comparable prepares a tool's result for comparison. It removes details that do not matter for the
// tool, such as times, so that results with the same meaning become equal.
func comparable(tool, result string) string {
	result = tidy(result)
	for kind, pattern := range patterns() {
		if noisy[tool]&kind != 0 {
			result = pattern.ReplaceAllString(result, "")
		}
	}
	result = tidy(result)
	if noisy[tool]&order != 0 {
		result = sorted(result)
	}
	return result
}

func tidy(text string) string {
	var lines []string
	for line := range strings.Lines(strings.ToValidUTF8(text, "�")) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
