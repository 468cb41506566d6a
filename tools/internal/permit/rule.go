package permit

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Rules are the user's. The zero value and nil have none.
type Rules struct {
	Allow, Ask, Deny []Rule
}

// Rule names a tool and, for some of its calls, a pattern: run_command(git push *).
// In the pattern * is any text; " *" at its end also matches nothing.
type Rule struct {
	Tool    string
	Pattern string // "" for every call
}

func (r Rule) String() string {
	if r.Pattern == "" {
		return r.Tool
	}
	return r.Tool + "(" + r.Pattern + ")"
}

// ParseRules reads the three lists of a configuration. The error names the entry.
func ParseRules(allow, ask, deny []string) (*Rules, error) {
	rules := &Rules{}
	for _, list := range []struct {
		name string
		from []string
		to   *[]Rule
	}{{"allow", allow, &rules.Allow}, {"ask", ask, &rules.Ask}, {"deny", deny, &rules.Deny}} {
		for _, entry := range list.from {
			rule, err := parseRule(entry)
			if err != nil {
				return nil, fmt.Errorf("permissions: %s: %w", list.name, err)
			}
			*list.to = append(*list.to, rule)
		}
	}
	return rules, nil
}

func parseRule(entry string) (Rule, error) {
	tool, rest, hasPattern := strings.Cut(strings.TrimSpace(entry), "(")
	wrong := fmt.Errorf("%q is neither the name of a tool nor one with a pattern, such as run_command(git push *)", entry)
	if tool == "" || strings.ContainsAny(tool, " \t)*") && tool != "*" {
		return Rule{}, wrong
	}
	if !hasPattern {
		return Rule{Tool: tool}, nil
	}
	pattern, closed := strings.CutSuffix(rest, ")")
	pattern = strings.Join(strings.Fields(pattern), " ")
	if !closed || pattern == "" {
		return Rule{}, wrong
	}
	if pattern == "*" {
		pattern = ""
	}
	return Rule{Tool: tool, Pattern: pattern}, nil
}

func (r *Rules) allows() []Rule {
	if r == nil {
		return nil
	}
	return r.Allow
}

func (r *Rules) asks() []Rule {
	if r == nil {
		return nil
	}
	return r.Ask
}

func (r *Rules) denies() []Rule {
	if r == nil {
		return nil
	}
	return r.Deny
}

func (r Rule) about(tool string) bool { return r.Tool == "*" || r.Tool == tool }

// matchesValues is for tools other than commands: one of the arguments matches.
func (r Rule) matchesValues(tool string, values []string) bool {
	if !r.about(tool) || r.Pattern == "" {
		return r.about(tool)
	}
	for _, value := range values {
		if glob(r.Pattern, value) {
			return true
		}
	}
	return false
}

// firstMatch names the first part of a command that a rule is about. Each part is
// tried as written and without what hides its name: a path, options of git.
func (r *Rules) firstMatch(rules []Rule, tool string, report Report) (what, which string) {
	for _, rule := range rules {
		if !rule.about(tool) {
			continue
		}
		if rule.Pattern == "" {
			return rule.String(), rule.String()
		}
		for _, part := range report.Parts {
			for _, text := range part.spellings() {
				if glob(rule.Pattern, text) {
					return fmt.Sprintf("%s, by %s", text, rule), rule.String()
				}
			}
		}
	}
	return "", ""
}

// unknown says why a command with words that are not known could be one that a rule
// denies or asks about.
func (r *Rules) unknown(tool string, report Report) string {
	for _, rule := range append(r.denies()[:len(r.denies()):len(r.denies())], r.asks()...) {
		if !rule.about(tool) || rule.Pattern == "" {
			continue
		}
		for _, part := range report.Parts {
			for _, text := range part.spellings() {
				known, _, dynamic := strings.Cut(text, hole)
				fixed, _, _ := strings.Cut(rule.Pattern, "*")
				if dynamic && (strings.HasPrefix(fixed, known) || strings.HasPrefix(known, fixed)) {
					return fmt.Sprintf("%s could be what your rule %s is about", part, rule)
				}
			}
		}
	}
	return ""
}

// spelledOut says whether the user allowed a danger by a rule that names it: every
// word that makes it dangerous stands in the rule.
func (r *Rules) spelledOut(tool string, danger Danger) bool {
	for _, rule := range r.allows() {
		if rule.Tool != tool || rule.Pattern == "" || !danger.Part.literal() || !glob(rule.Pattern, danger.Part.text()) {
			continue
		}
		words, all := strings.Fields(rule.Pattern), len(danger.Marks) > 0
		for _, mark := range danger.Marks {
			found := false
			for _, word := range words {
				found = found || word == mark
			}
			all = all && found
		}
		if all {
			return true
		}
	}
	return false
}

// allowsAll are the rules that allow the parts, each of which must be allowed and every
// word of it known; "" if they do not.
func (r *Rules) allowsAll(tool string, report Report) string {
	if len(report.Parts) == 0 || report.Opaque != "" {
		return ""
	}
	var rules []string
	for _, part := range report.Parts {
		if part.inner || part.harmless() && len(report.Parts) > 1 {
			continue
		}
		rule := r.allowsPart(tool, part)
		if !part.literal() || rule == "" {
			return ""
		}
		if !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	return strings.Join(rules, ", ")
}

func (r *Rules) allowsPart(tool string, part Part) string {
	for _, rule := range r.allows() {
		if rule.about(tool) && (rule.Pattern == "" || glob(rule.Pattern, part.text())) {
			return rule.String()
		}
	}
	return ""
}

// spellings are the forms of a part that a rule may mean.
func (p Part) spellings() []string {
	forms := []string{p.text()}
	if len(p.Words) == 0 {
		return forms
	}
	words := append([]string{path.Base(p.Words[0].text)}, texts(p.Words[1:])...)
	forms = append(forms, strings.Join(words, " "))
	if words[0] == "git" {
		forms = append(forms, strings.Join(append([]string{"git"}, texts(withoutGitOptions(p.Words[1:]))...), " "))
	}
	return forms
}

// glob matches * with any text, also across spaces and slashes.
func glob(pattern, text string) bool {
	if short, ok := strings.CutSuffix(pattern, " *"); ok && text == short {
		return true
	}
	pieces := strings.Split(pattern, "*")
	if len(pieces) == 1 {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, pieces[0])
	if !ok {
		return false
	}
	last := pieces[len(pieces)-1]
	for _, piece := range pieces[1 : len(pieces)-1] {
		at := strings.Index(text, piece)
		if at < 0 {
			return false
		}
		text = text[at+len(piece):]
	}
	return strings.HasSuffix(text, last)
}
