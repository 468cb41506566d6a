package permit

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// A rule that is formatted and parsed again means the same, its pattern matches like an equivalent
// regular expression, and a denied call stays denied with any other rules.
func FuzzRule(f *testing.F) {
	for entry, text := range map[string]string{
		"run_command(git push *)": "git push", "run_command": "ls", "*": "x", "*(a*b*a)": "aba", "web_search(*)": "", "run_command( a  b )": "a b",
		"run_command(**)": "**", "(": ")", "x(*a": "a", "run_command(rm -rf *)": "rm -rf / && ls",
	} {
		f.Add(entry, text)
	}
	f.Fuzz(func(t *testing.T, entry, text string) {
		rule, err := parseRule(entry)
		if err != nil {
			return
		}
		if again, err := parseRule(rule.String()); err != nil || again != rule {
			t.Errorf("%q is %q, which is %q, %v", entry, rule, again, err)
		}
		if rule.Pattern != "" && utf8.ValidString(rule.Pattern) {
			literal := regexp.QuoteMeta(rule.Pattern)
			expression := strings.ReplaceAll(literal, `\*`, "(?s:.*)")
			if short, ok := strings.CutSuffix(literal, ` \*`); ok {
				expression += "|" + short
			}
			if got, want := glob(rule.Pattern, text), regexp.MustCompile(`\A(?:`+expression+`)\z`).MatchString(text); got != want {
				t.Errorf("%q on %q: %t", rule.Pattern, text, got)
			}
		}
		rule.Tool = "run_command"
		deny := &Rules{Deny: []Rule{rule}, Allow: []Rule{{Tool: "run_command"}}}
		if alone := judge(deny, text); alone.Decision == Deny && judge(deny, "true; "+text).Decision == Allow {
			t.Errorf("%q is denied by %q, and behind another command allowed", text, rule)
		}
	})
}
