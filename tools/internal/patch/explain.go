package patch

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"marvin/tools/internal/text"

	"golang.org/x/text/unicode/norm"
)

// miss is the error for text that was not found, with a hint for the model.
type miss struct {
	reason error
	hint   string
}

func (m *miss) Error() string { return m.reason.Error() + ". " + m.hint }

func (m *miss) Unwrap() error { return m.reason }

// numbered returns a regular expression for the number before a line in the output of read_file.
var numbered = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*\d+(\.| \|) ?`) })

// explain tells a model why the file does not contain the old text. It checks for mistakes that
// models usually make.
func explain(body, old, new string) string {
	lines, wanted := strings.Split(body, "\n"), strings.Split(strings.Trim(old, "\n"), "\n")
	if len(strings.TrimSpace(new)) > 3 && strings.Contains(body, new) {
		line := 1 + strings.Count(body[:strings.Index(body, new)], "\n")
		return fmt.Sprintf("But the new text is already at line %d, so the edit has probably been made.", line)
	}
	if strings.Contains(body, strings.ReplaceAll(strings.ReplaceAll(old, `\n`, "\n"), `\t`, "\t")) {
		return `It is escaped once too often: with real line breaks and tabs instead of \n and \t, it would be found.`
	}
	if bare, ok := withoutNumbers(wanted); ok && find(lines, bare, trimmed) >= 0 {
		return "Leave out the line numbers that read_file puts before each line; then the text will be found."
	}
	reasons := []struct {
		key func(string) string
		say string
	}{
		{trimmed, "the only differences are white space at line ends, or blank lines around the text"},
		{squeeze, "only white space is different (tabs, spaces, indentation)"},
		{func(line string) string { return squeeze(lookalike(line)) }, "the texts differ only in characters that look alike (quotes, dashes, spaces, accents)"},
		{func(line string) string { return strings.ToLower(squeeze(line)) }, "only case is different"},
	}
	for _, reason := range reasons {
		if i := find(lines, wanted, reason.key); i >= 0 {
			return fmt.Sprintf("At line %d, %s. The file has:\n%s", i+1, reason.say, rows(lines, i, len(wanted)))
		}
	}
	return nearest(lines, wanted)
}

// find returns the index of the first match of the wanted lines, or -1. If every wanted line is
// blank, find returns -1.
func find(lines, wanted []string, key func(string) string) int {
	if strings.TrimSpace(strings.Join(wanted, "")) == "" {
		return -1
	}
	if found := occurrences(lines, wanted, key); len(found) > 0 {
		return found[0]
	}
	return -1
}

func withoutNumbers(lines []string) (bare []string, ok bool) {
	for _, line := range lines {
		number := numbered().FindString(line)
		if number == "" {
			return nil, false
		}
		bare = append(bare, line[len(number):])
	}
	return bare, true
}

func squeeze(line string) string { return strings.Join(strings.Fields(line), " ") }

// lookalike applies NFKC, replaces curly quotes and dashes with ASCII ones, and removes invisible
// characters.
func lookalike(line string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '‘' || r == '’' || r == '‚':
			return '\''
		case r == '“' || r == '”' || r == '„':
			return '"'
		case unicode.Is(unicode.Pd, r) || r == '−':
			return '-'
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, norm.NFKC.String(line))
}

// rows returns some lines of a file, with line numbers and with marks for leading tabs.
func rows(lines []string, first, count int) string {
	var out strings.Builder
	shown := min(count, 12)
	for i := first; i < min(first+shown, len(lines)); i++ {
		line := text.ClipBytes(lines[i], 300)
		indent := len(line) - len(strings.TrimLeft(line, "\t"))
		fmt.Fprintf(&out, "%d. %s%s\n", i+1, strings.Repeat("→\t", indent), strings.ToValidUTF8(line[indent:], "�"))
	}
	if shown < count {
		fmt.Fprintf(&out, "… %d more lines\n", count-shown)
	}
	if strings.Contains(out.String(), "→\t") {
		out.WriteString("(→ marks a tab)\n")
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// nearest returns the lines that are most similar to the longest wanted line, as one string. To
// save time, it compares only the first 20,000 lines.
func nearest(lines, wanted []string) string {
	telling := slices.MaxFunc(wanted, func(a, b string) int { return cmp.Compare(len(squeeze(a)), len(squeeze(b))) })
	letters := countPairs(telling)
	type scored struct {
		line  int
		score float64
	}
	var best []scored
	for i, line := range lines[:min(len(lines), 20_000)] {
		if score := overlap(letters, countPairs(line)); score >= 0.5 {
			best = append(best, scored{i, score})
		}
	}
	slices.SortStableFunc(best, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	if len(best) == 0 {
		return "No line is similar: read the file again and quote the line exactly."
	}
	best = best[:min(3, len(best))]
	slices.SortFunc(best, func(a, b scored) int { return cmp.Compare(a.line, b.line) })
	var out strings.Builder
	out.WriteString("The nearest lines are:\n")
	for _, hit := range best {
		out.WriteString(rows(lines, hit.line, 1) + "\n")
	}
	out.WriteString("Quote the file exactly, with its white space.")
	return out.String()
}

// countPairs counts how often each pair of adjacent bytes occurs in a line, after white space is
// squeezed.
func countPairs(line string) map[string]int {
	line = squeeze(line)
	line = line[:min(len(line), 200)]
	counts := map[string]int{}
	for i := 0; i+2 <= len(line); i++ {
		counts[line[i:i+2]]++
	}
	return counts
}

// overlap returns the Dice coefficient: the share of byte pairs that two lines have in common.
func overlap(a, b map[string]int) float64 {
	common, total := 0, 0
	for pair, n := range a {
		common += min(n, b[pair])
		total += n
	}
	for _, n := range b {
		total += n
	}
	if total == 0 {
		return 0
	}
	return 2 * float64(common) / float64(total)
}
