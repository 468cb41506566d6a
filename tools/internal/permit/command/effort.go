package command

import (
	"mvdan.cc/sh/v3/syntax"
)

// effort is a count of the examined parts of a line.
type effort struct {
	parts  int // commands
	looked int // words
	nodes  int // syntax nodes
}

// tired returns true if the analysis must stop because the line exceeds a limit.
func (e *effort) tired() bool {
	return e.parts > MaxCommands || e.looked > mostWord || e.nodes > mostNode
}

// walk visits a node and its descendants. It stops when the line exceeds the limits.
func (e *effort) walk(node syntax.Node, visit func(syntax.Node) bool) {
	syntax.Walk(node, func(node syntax.Node) bool {
		if e.nodes++; e.tired() {
			return false
		}
		return visit(node)
	})
}
