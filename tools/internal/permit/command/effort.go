package command

import (
	"mvdan.cc/sh/v3/syntax"
)

// effort is how much of a line was looked at so far.
type effort struct {
	parts  int // commands
	looked int // words
	nodes  int // of syntax
}

// tired says that a line is beyond the limits, so that nothing more of it is looked at.
func (e *effort) tired() bool {
	return e.parts > MaxCommands || e.looked > mostWord || e.nodes > mostNode
}

// walk visits a node and all below it until the line is beyond the limits.
func (e *effort) walk(node syntax.Node, visit func(syntax.Node) bool) {
	syntax.Walk(node, func(node syntax.Node) bool {
		if e.nodes++; e.tired() {
			return false
		}
		return visit(node)
	})
}
