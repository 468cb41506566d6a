package toolbox

import (
	"fmt"
	"slices"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/hidden"
	"marvin/tools/internal/near"
	"marvin/tools/internal/params"
	"marvin/tools/internal/permit"
)

// Rules without effect are reported as errors. Such rules name an unknown tool or argument, or use
// another program's syntax.

// RuleProblem is a rule that has no effect.
type RuleProblem struct {
	List string // "allow", "ask" or "deny"
	Rule string // as the user wrote it, except for spaces
	Why  string
	Next string // the next step
}

func (p RuleProblem) Error() string {
	return fmt.Sprintf("permissions: %s: %s %s. %s", p.List, hidden.Visible(p.Rule), p.Why, p.Next)
}

// RuleTools describes the tools that a rule can name.
type RuleTools struct {
	Registry *Registry              // Marvin's tools and the current tools of other sources
	Servers  []string               // the names of configured MCP servers
	Others   func(name string) bool // whether another project has the named tool; Others can be nil
}

// CheckRules returns the rules that have no effect.
func CheckRules(p *tools.Permissions, known RuleTools) (problems []RuleProblem) {
	rules := p.Rules()
	if rules == nil {
		return nil
	}
	for _, list := range []struct {
		name  string
		rules []permit.Rule
	}{{"allow", rules.Allow}, {"ask", rules.Ask}, {"deny", rules.Deny}} {
		for _, rule := range list.rules {
			if why, next := known.ruleFault(rule, list.name == "allow"); why != "" {
				problems = append(problems, RuleProblem{List: list.name, Rule: rule.String(), Why: why, Next: next})
			}
		}
	}
	return problems
}

// ruleFault returns the reason why a rule has no effect, and the next step for the user.
func (k RuleTools) ruleFault(rule permit.Rule, allows bool) (why, next string) {
	name := rule.Tool
	if name == "*" {
		return "", ""
	}
	if strings.HasPrefix(name, "mcp__") {
		parts := strings.Split(strings.TrimPrefix(name, "mcp__"), "__")
		if len(parts) == 1 {
			return "names a whole server in Claude Code's notation", "Write one rule for each of its tools: " + ForeignName("mcp", parts[0]) + "_TOOL (to list them, run marvin mcp tools " + parts[0] + ")."
		}
		return "names an MCP tool in Claude Code's notation", meant(permit.Rule{Tool: ForeignName(append([]string{"mcp"}, parts...)...), Pattern: rule.Pattern})
	}
	tool, found := k.tool(name)
	switch {
	case found && tool.Name != name:
		return "is written in another program's notation", meant(k.translate(tool, rule))
	case found:
		return k.wrongPattern(tool, rule, allows)
	case strings.HasPrefix(name, "mcp_"):
		return k.serverFault(name)
	case k.Others != nil && k.Others(name):
		return "", ""
	}
	close := near.Similar(params.Snake(name), toolNames(k.Registry.All()), 3)
	next = "\"marvin tools\" lists the tools."
	if len(close) > 0 {
		next = meant(permit.Rule{Tool: close[0], Pattern: rule.Pattern}) + " " + next
	}
	return "names no tool, so it would have no effect", next
}

func (k RuleTools) tool(name string) (tools.Tool, bool) {
	if i, ok := k.Registry.byName[name]; ok {
		return k.Registry.tools[i], true
	}
	if strings.HasPrefix(name, "mcp_") { // a server can add this tool later; this check contacts no server
		return tools.Tool{}, false
	}
	return k.Registry.findForeign(name, func(tools.Tool) string { return "" })
}

// serverFault is like ruleFault, but for a rule about an MCP server's tool. It reports only
// probable misspellings of configured servers, because any other server could be configured later.
func (k RuleTools) serverFault(name string) (why, next string) {
	var prefixes []string
	for _, server := range k.Servers {
		prefix := ForeignName("mcp", server) + "_"
		if strings.HasPrefix(name, prefix) {
			return "", ""
		}
		prefixes = append(prefixes, strings.TrimSuffix(prefix, "_"))
	}
	for cut := len(name); cut > 4; cut = strings.LastIndexByte(name[:cut], '_') {
		for _, prefix := range near.Similar(name[:cut], prefixes, 1) {
			if isMisspelled(name[:cut], prefix) {
				return "names a server that is not configured", meant(permit.Rule{Tool: prefix + name[cut:]})
			}
		}
	}
	return "", ""
}

// isMisspelled reports whether one name is probably a misspelling of the other. The names are
// already known to be similar, so only their lengths are compared.
func isMisspelled(one, other string) bool {
	return one != other && len(one) > 7 && max(len(one), len(other))-min(len(one), len(other)) <= 1
}

func meant(rule permit.Rule) string {
	return "Did you mean " + hidden.Visible(rule.String()) + "?"
}

// translate converts a rule from another program's syntax to Marvin's syntax.
func (k RuleTools) translate(tool tools.Tool, rule permit.Rule) permit.Rule {
	pattern := rule.Pattern
	switch {
	case tool.Name == "run_command":
		pattern = withoutColon(pattern)
	case strings.HasPrefix(pattern, "domain:"):
		pattern = "https://" + strings.TrimPrefix(pattern, "domain:") + "/*"
	default:
		pattern = strings.TrimPrefix(pattern, "./")
		if rest, found := strings.CutPrefix(pattern, "//"); found {
			pattern = "/" + rest
		}
		pattern = strings.ReplaceAll(pattern, "**", "*")
	}
	return permit.Rule{Tool: tool.Name, Pattern: pattern}
}

// withoutColon replaces the ":*" at the end of another program's command pattern with " *".
func withoutColon(pattern string) string {
	if short, found := strings.CutSuffix(pattern, ":*"); found {
		return short + " *"
	}
	return pattern
}

// wrongPattern returns the reason why the rule's pattern has no effect, and the next step for the
// user.
func (k RuleTools) wrongPattern(tool tools.Tool, rule permit.Rule, allows bool) (why, next string) {
	if rule.Pattern == "" {
		return "", ""
	}
	if tool.Name == "run_command" {
		return wrongCommand(rule, tool)
	}
	if strings.HasPrefix(rule.Pattern, "domain:") {
		return "is written in another program's notation", meant(k.translate(tool, rule))
	}
	parameters := tool.Parameters()
	if len(parameters) == 0 {
		return "has a pattern, but the tool takes no arguments", meant(permit.Rule{Tool: tool.Name})
	}
	name, pattern, named := rule.CutName()
	if !named || slices.Contains(parameters, name) {
		return "", ""
	}
	next = fmt.Sprintf("Its arguments are %s.", strings.Join(parameters, ", "))
	if close := near.Similar(name, parameters, 1); len(close) > 0 {
		next = meant(permit.Rule{Tool: tool.Name, Pattern: close[0] + "=" + pattern}) + " " + next
	}
	return fmt.Sprintf("uses the argument %s, which %s does not have", hidden.Visible(name), tool.Name), next
}

func wrongCommand(rule permit.Rule, tool tools.Tool) (why, next string) {
	words := strings.Fields(rule.Pattern)
	if strings.HasSuffix(rule.Pattern, ":*") && !strings.HasSuffix(rule.Pattern, "::*") && !strings.Contains(rule.Pattern, "://") && !permit.NamesScript(words) {
		literal := strings.TrimSuffix(rule.Pattern, "*") + "**"
		return "ends in :*, which is another program's notation", meant(permit.Rule{Tool: rule.Tool, Pattern: withoutColon(rule.Pattern)}) + " If the command has a colon there, write " + hidden.Visible(literal) + "."
	}
	if name, _, named := rule.CutName(); named && slices.Contains(tool.Parameters(), name) {
		return "uses the argument " + name + ", but rules for this tool look only at the command", meant(permit.Rule{Tool: rule.Tool, Pattern: "git push *"}) + " A pattern is compared with each command in the command line."
	}
	return "", ""
}
