package tools

import (
	"cmp"
	"slices"
)

// Mode says which tools there are: coding tools only in coding mode, interactive
// ones only with a person present, writing ones only if not ReadOnly, and for a
// sub-agent those that it was given.
type Mode struct {
	Coding, Person, ReadOnly bool
	ReadOnlyBy               string       // why it is ReadOnly, as a sentence; "" is MARVIN_READONLY
	Agent                    bool         // a sub-agent: tools that are a person's conversation's own are off
	Only                     []string     // the tools that a sub-agent was given; nil for all
	Planning                 bool         // nothing may be changed, because a plan is wanted
	Rules                    *Permissions // tools that they deny are not offered; nil denies none
}

// WhyReadOnly says what switched tools off that write, as a sentence.
func (m Mode) WhyReadOnly() string {
	return cmp.Or(m.ReadOnlyBy, "this run is read-only (MARVIN_READONLY=1)")
}

// Refuses says to the model why a mode does not have a tool; "" if it has it.
func (m Mode) Refuses(t Tool) string {
	switch {
	case t.Writes && m.ReadOnly:
		return m.WhyReadOnly() + "; tools that write are off"
	case t.Coding && !m.Coding && m.Person:
		return "it belongs to coding mode, which is off; tell the user that /code switches file and shell tools on"
	case t.Coding && !m.Coding:
		return "it belongs to coding mode, which is off"
	case t.Interactive && !m.Person:
		return "it needs a user, and this run has none"
	case t.Planning && !m.Planning:
		return "the user wants no plan now; continue without it"
	case t.TopOnly && m.Agent:
		return "a sub-agent has no such tool; finish the task without it"
	case m.Only != nil && !slices.Contains(m.Only, t.Name):
		return "this sub-agent may not use it; finish the task without it"
	}
	return ""
}

// Offers says whether a model in the mode learns of a tool. A call of a tool that the rules deny
// is refused with the rule as the reason.
func (m Mode) Offers(t Tool) bool { return m.Refuses(t) == "" && !m.Rules.denies(t.Name) }
