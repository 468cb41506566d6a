// Package jobs provides the tools for background work. Some tools start code reviews and show the
// progress and the report of a review. Other tools list, show, await and cancel jobs, and write to
// the input of a job. Package background implements the jobs.
//
// A review only reads, and the user decides what to do about the findings.
package jobs

import "marvin/persistence"

// Service holds the dependencies of the tools.
type Service struct {
	home    *persistence.Home
	program string
}

// New returns a Service. The last argument is the path of Marvin's own program file.
func New(home *persistence.Home, program string) Service {
	return Service{home: home, program: program}
}
