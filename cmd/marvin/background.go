package main

import (
	"fmt"
	"strings"

	"marvin/actors"
)

// Background work as a person sees it: in /jobs, and when the program ends.

// start grows the tree of actors.
func (p *parts) start() *actors.System {
	p.system = actors.Start(p.config)
	return p.system
}

// sayLeft lists what continues after the program ends.
func (p *parts) sayLeft() {
	left := p.system.Left()
	if len(left) == 0 {
		return
	}
	var text strings.Builder
	text.WriteString("Left running in the background:\n")
	for _, job := range left {
		fmt.Fprintf(&text, "  %s, pid %d: %s", job.ID, job.PID, job.Title)
		if job.Log != "" {
			text.WriteString("; output in " + job.Log)
		}
		text.WriteByte('\n')
	}
	text.WriteString("To end one: kill -- -PID; or start marvin in the same directory again and use /jobs.")
	fmt.Fprintln(p.world.Stderr, text.String())
}
