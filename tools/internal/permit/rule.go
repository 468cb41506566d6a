package permit

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"marvin/tools/internal/permit/command"
)

// Rules are the user's permission rules. The zero value and nil contain none.
type Rules struct {
	Allow, Ask, Deny []Rule
}

// Rule matches calls of a tool, for example "run_command(git push *)". In the pattern, "*" matches
// any text. A final " *" also matches the empty text: "git push *" matches "git push".
type Rule struct {
	Tool    string
	Pattern string // "" matches every call
}

func (r Rule) String() string {
	if r.Pattern == "" {
		return r.Tool
	}
	return r.Tool + "(" + r.Pattern + ")"
}

// ParseRules parses the three rule lists in a configuration. The error names the invalid entry.
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
	wrong := fmt.Errorf("%q is neither the name of a tool nor a name with a pattern, such as run_command(git push *)", entry)
	tool = strings.TrimSpace(tool)
	if tool == "" || strings.ContainsAny(tool, " \t)*") && tool != "*" {
		return Rule{}, wrong
	}
	if !hasPattern {
		return Rule{Tool: tool}, nil
	}
	pattern, closed := strings.CutSuffix(rest, ")")
	pattern = strings.Join(strings.Fields(pattern), " ")
	if named, found := strings.CutPrefix(pattern, "command="); found && tool == "run_command" {
		pattern = strings.TrimSpace(named)
	}
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

// Denies reports whether a rule denies every call of a tool.
func (r *Rules) Denies(tool string) bool {
	return slices.ContainsFunc(r.denies(), func(rule Rule) bool { return rule.Pattern == "" && rule.about(tool) })
}

func (r Rule) about(tool string) bool { return r.Tool == "*" || r.Tool == tool }

// argument returns the name and the pattern from r.CutName. If the tool lacks the named argument,
// the results are "" and the whole pattern.
func (r Rule) argument(call Call) (name, pattern string) {
	if name, pattern, named := r.CutName(); named && slices.Contains(call.Parameters, name) {
		return name, pattern
	}
	return "", r.Pattern
}

// CutName splits a pattern such as "topic=mytopic". The tool need not have an argument of that
// name.
func (r Rule) CutName() (name, pattern string, named bool) {
	name, pattern, named = strings.Cut(r.Pattern, "=")
	name, pattern = strings.TrimSpace(name), strings.TrimSpace(pattern)
	word := strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
	return name, pattern, named && name != "" && word
}

// touches returns true if a deny or ask rule applies to a call. The rule must match one of the
// arguments, or one of the files that the call names.
func (r Rule) touches(call Call) bool {
	if !r.about(call.Tool) || r.Pattern == "" {
		return r.about(call.Tool)
	}
	name, pattern := r.argument(call)
	return slices.ContainsFunc(call.Values, func(value Value) bool {
		if name != "" && value.Argument != name && value.Argument != "" {
			return false
		}
		return glob(pattern, value.Text) || value.File != "" && call.MatchesFile != nil && call.MatchesFile(pattern, value.File, true)
	})
}

// covers returns true if an allow rule applies to a call. If the rule names an argument, the
// pattern must match that argument. Otherwise the pattern must match all files that the call names,
// or the main argument if the call names no files.
func (r Rule) covers(call Call) bool {
	if !r.about(call.Tool) || r.Pattern == "" {
		return r.about(call.Tool)
	}
	name, pattern := r.argument(call)
	deciding := call.deciding(name)
	return len(deciding) > 0 && !slices.ContainsFunc(deciding, func(value Value) bool {
		if value.File != "" && call.MatchesFile != nil {
			return !call.MatchesFile(pattern, value.File, false)
		}
		return !glob(pattern, value.Text)
	})
}

// firstMatch finds the first rule that matches the call, and returns a description of the match and
// the rule's text. It tries all spellings of a command, because a path or git options could
// otherwise prevent a match.
func (r *Rules) firstMatch(rules []Rule, tool string, report command.Report) (match, ruleText string) {
	for _, rule := range rules {
		if !rule.about(tool) {
			continue
		}
		if rule.Pattern == "" {
			return rule.String(), rule.String()
		}
		for _, part := range report.Parts {
			for _, text := range spellings(part) {
				if glob(rule.Pattern, text) {
					return fmt.Sprintf("%s, by %s", part, rule), rule.String()
				}
			}
		}
	}
	return "", ""
}

// mayMatch finds the first rule in r.Deny or r.Ask that could apply at run time. The rule could
// apply because of unknown words, or because arguments could run as a command. If text is
// unreadable, any rule in r.Deny could apply.
func (r *Rules) mayMatch(tool string, report command.Report) (why, ruleText string) {
	for _, rule := range append(r.denies()[:len(r.denies()):len(r.denies())], r.asks()...) {
		if !rule.about(tool) || rule.Pattern == "" || strings.Contains(rule.Pattern, "://") {
			continue
		}
		for _, part := range report.Parts {
			if mayBe(part, rule.Pattern) {
				return fmt.Sprintf("your rule %[2]s could apply to %[1]s", part, rule), rule.String()
			}
		}
	}
	if unread := cmp.Or(report.Unclear, report.Unread); unread != "" {
		for _, rule := range r.denies() {
			if rule.about(tool) && rule.Pattern != "" && !strings.Contains(rule.Pattern, "://") {
				return fmt.Sprintf("your rule %s could apply to the command: %s", rule, unread), rule.String()
			}
		}
	}
	return "", ""
}

// mayBe reports whether a pattern could match a part, or a command in the part's arguments.
func mayBe(p command.Part, pattern string) bool {
	for _, text := range spellings(p) {
		if strings.ContainsAny(text, command.Hole+command.AnyWord) && meets(pattern, text) {
			return true
		}
	}
	if p.OnlyText() || kindOf(p.Words[0].Text) == manifold || command.HandlesFiles(p.Name()) {
		return false
	}
	// Any program could run its arguments as a command, as in "setarch x86_64 git push".
	for n := 1; n < len(p.Words); n++ {
		for _, text := range spellings(command.Part{Words: p.Words[n:]}) {
			if meets(pattern, text) && strings.Trim(text, command.Hole+command.AnyWord+" ") != "" {
				return true
			}
		}
		if strings.ContainsAny(p.Words[n].Text, " \t\n") && saysCommand(pattern, p.Words[n].Text) {
			return true
		}
	}
	return false
}

// saysCommand reports whether text contains a command that could match pattern.
func saysCommand(pattern, text string) bool {
	for _, command := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(";&|()`\n\"'{}", r) }) {
		words := strings.Fields(command)
		for n := range words[:min(len(words), 8)] {
			if meets(pattern, strings.Join(words[n:], " ")) {
				return true
			}
		}
	}
	return false
}

// spelledOut reports whether one of the user's rules allows a danger explicitly. The rule must
// contain every word that makes the command dangerous.
func (r *Rules) spelledOut(tool string, danger command.Danger) bool {
	for _, rule := range r.allows() {
		if rule.Tool != tool || rule.Pattern == "" || !danger.Part.Literal() || !glob(rule.Pattern, danger.Part.Text()) {
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

// allowsAll returns the rules that together allow all parts of a command. It returns "" if a part
// is not allowed, or contains an unknown word or a wildcard.
func (r *Rules) allowsAll(tool string, report command.Report) string {
	if len(report.Parts) == 0 || report.Opaque != "" {
		return ""
	}
	var rules []string
	for _, part := range report.Parts {
		if part.Inner || part.Harmless() && len(report.Parts) > 1 {
			continue
		}
		rule := r.allowsPart(tool, part)
		if !part.Literal() || rule == "" {
			return ""
		}
		if !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	return strings.Join(rules, ", ")
}

func (r *Rules) allowsPart(tool string, part command.Part) string {
	for _, rule := range r.allows() {
		if rule.about(tool) && (rule.Pattern == "" || glob(rule.Pattern, part.Text())) {
			return rule.String()
		}
	}
	return ""
}

// spellings returns the equivalent forms of a command. A rule that denies or asks is compared with
// each form.
func spellings(p command.Part) []string {
	forms := []string{pattern(p, p.Words)}
	if len(p.Words) == 0 {
		return forms
	}
	first := p.Words[0]
	first.Text = path.Base(first.Text)
	words := append([]command.Word{first}, p.Words[1:]...)
	if subcommand, found := strings.CutPrefix(first.Text, "git-"); found && subcommand != "" { // git-push
		words = append([]command.Word{{Text: "git"}, {Text: subcommand}}, words[1:]...)
		first.Text = "git"
	}
	forms = append(forms, pattern(p, words))
	if first.Text == "hub" { // hub accepts all git commands
		first.Text = "git"
	}
	if first.Text == "git" {
		rest := command.WithoutGitOptions(words[1:])
		forms = append(forms, pattern(p, append([]command.Word{{Text: "git"}}, rest...)))
		if len(rest) > 0 && plumbing(rest[0].Text) != "" { // git send-pack
			forms = append(forms, pattern(p, append([]command.Word{{Text: "git"}, {Text: plumbing(rest[0].Text)}}, rest[1:]...)))
		}
		if len(rest) > 1 && (rest[0].Text == "subtree" || rest[0].Text == "lfs") { // as in "git lfs push"
			forms = append(forms, pattern(p, append([]command.Word{{Text: "git"}}, rest[1:]...)))
		}
	}
	return forms
}

// plumbing converts a low-level git subcommand such as "send-pack" to the usual one, such as
// "push". It returns "" for any other subcommand.
func plumbing(subcommand string) string {
	switch subcommand {
	case "send-pack", "http-push":
		return "push"
	case "fetch-pack", "http-fetch":
		return "fetch"
	case "commit-tree":
		return "commit"
	case "checkout-index", "read-tree":
		return "checkout"
	}
	return ""
}

// pattern returns the text of words, with [command.AnyWord] for each wildcard.
func pattern(p command.Part, words []command.Word) string {
	list := make([]string, len(words))
	for n, word := range words {
		if list[n] = word.Text; word.Glob {
			list[n] = anyFile(word.Text)
		}
	}
	return strings.Join(list, " ")
}

// anyFile replaces each wildcard in a file name pattern with [command.AnyWord].
func anyFile(text string) string {
	var out strings.Builder
	for n := 0; n < len(text); n++ {
		switch end := strings.IndexByte(text[n:], ']'); {
		case text[n] == '*' || text[n] == '?':
			out.WriteString(command.AnyWord)
		case text[n] == '[' && end > 0:
			out.WriteString(command.AnyWord)
			n += end
		default:
			out.WriteByte(text[n])
		}
	}
	return out.String()
}

// Glob reports whether text matches the pattern of a rule.
func Glob(pattern, text string) bool { return glob(pattern, text) }

// glob returns true if text matches a pattern. In the pattern, * matches any text, including spaces
// and slashes.
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

// meets is like overlap(), but " *" at the end of the pattern also matches the empty text.
func meets(pattern, text string) bool {
	if short, ok := strings.CutSuffix(pattern, " *"); ok && overlap(short, text) {
		return true
	}
	return overlap(pattern, text)
}

// overlap returns true if a pattern could match text that is only partly known. In the pattern, *
// matches any text. In the text, a hole may be any text, and AnyWord may be any text without
// spaces.
func overlap(pattern, text string) bool {
	const longest = 4096
	if len(pattern)*len(text) > longest*64 {
		text = text[:min(len(text), longest)] + command.Hole
	}
	now := make([]bool, len(text)+1) // in step k, now[n] means that pattern[:k] could match text[:n]
	now[0] = true
	spread := func(row []bool) {
		for n := range len(text) {
			if text[n] == command.Hole[0] || text[n] == command.AnyWord[0] { // a hole or AnyWord can be empty
				row[n+1] = row[n+1] || row[n]
			}
		}
	}
	spread(now)
	for k := range len(pattern) {
		next := make([]bool, len(text)+1)
		if pattern[k] == '*' {
			reached := false
			for n := range now {
				reached = reached || now[n]
				next[n] = reached
			}
			now = next
			continue
		}
		for n := range len(text) {
			switch mark := text[n]; {
			case mark == command.Hole[0], mark == command.AnyWord[0] && pattern[k] != ' ':
				next[n] = next[n] || now[n] // or longer
				next[n+1] = next[n+1] || now[n]
			case mark == pattern[k]:
				next[n+1] = next[n+1] || now[n]
			}
		}
		spread(next)
		now = next
	}
	return now[len(text)]
}
