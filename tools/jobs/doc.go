// Package jobs has the tools for background work: start a review of a project, report on reviews,
// and list, read, await and cancel jobs. tools/background implements jobs.
//
// A review only reads, and the user decides what to do about the findings.
package jobs

import "marvin/persistence"

// Service holds the dependencies of the tools.
type Service struct {
	home    *persistence.Home
	program string
}

// New returns a service. The given program is Marvin's own program file.
func New(home *persistence.Home, program string) Service {
	return Service{home: home, program: program}
}
