package app

import (
	"fmt"
	"strings"

	"marvin/actors"
)

// Start starts the actor system.
func (p *App) Start() *actors.System {
	p.System = actors.Start(p.Config)
	return p.System
}

// SayLeft lists the jobs that continue after the program ends.
func (p *App) SayLeft() {
	left := p.System.RemainingJobs()
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
	text.WriteString("To end one, run \"kill -- -PID\", or start marvin in the same directory again and use /jobs.")
	fmt.Fprintln(p.World.Stderr, text.String())
}
