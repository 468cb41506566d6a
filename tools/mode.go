package tools

import (
	"cmp"
	"slices"
)

// Mode decides which tools a conversation has: coding tools only if Coding is true, interactive
// tools only if Person is true (a user is present), and tools that write only if ReadOnly is false.
type Mode struct {
	Coding, Person, ReadOnly bool
	ReadOnlyBy               string       // the reason for ReadOnly, as a sentence; "" if MARVIN_READONLY is the reason
	Agent                    bool         // the conversation belongs to a sub-agent, so TopOnly tools are unavailable
	Only                     []string     // names of a sub-agent's tools; nil allows all tools
	Planning                 bool         // nothing may be changed, because the user wants a plan
	Rules                    *Permissions // the user's rules, which can exclude tools; may be nil
}

// WhyReadOnly returns a sentence that gives the reason for ReadOnly.
func (m Mode) WhyReadOnly() string {
	return cmp.Or(m.ReadOnlyBy, "this run is read-only (MARVIN_READONLY=1)")
}

// WhyUnavailable explains to the model why a tool is unavailable in this mode. It returns "" if the
// tool is available.
func (m Mode) WhyUnavailable(t Tool) string {
	switch {
	case t.Writes && m.ReadOnly:
		return m.WhyReadOnly() + "; tools that write are off"
	case t.Coding && !m.Coding && m.Person:
		return "the tool needs coding mode, which is off; tell the user that /code switches file and shell tools on"
	case t.Coding && !m.Coding:
		return "the tool needs coding mode, which is off"
	case t.Interactive && !m.Person:
		return "it needs a user, and this run has none"
	case t.Planning && !m.Planning:
		return "the user has not asked for a plan; continue without this tool"
	case t.TopOnly && m.Agent:
		return "sub-agents do not have this tool; finish the task without it"
	case m.Only != nil && !slices.Contains(m.Only, t.Name):
		return "this sub-agent may not use this tool; finish the task without it"
	}
	return ""
}

// Offers reports whether a tool is offered to the model in this mode. A tool that the rules deny is
// not offered. If the model calls it although it is not offered, the refusal names the rule.
func (m Mode) Offers(t Tool) bool { return m.WhyUnavailable(t) == "" && !m.Rules.denies(t.Name) }
