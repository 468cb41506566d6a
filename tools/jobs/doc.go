// Package jobs provides the tools for background work. They start code reviews and report on them,
// and they list, show, await and cancel jobs and write to their input. Package background
// implements the jobs.
//
// A review only reads, and the user decides what to do about the findings.
package jobs

import "marvin/persistence"

// Service holds the dependencies of the tools.
type Service struct {
	home    *persistence.Home
	program string
}

// New returns a Service, where program is the path of Marvin's own program file.
func New(home *persistence.Home, program string) Service {
	return Service{home: home, program: program}
}
