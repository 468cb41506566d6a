// Package jobs has the tools for background work: start a review of a project, report on reviews,
// and list, read, await and cancel jobs. tools/background implements jobs.
//
// Decided against: a branch, four reviewers and a fixer that commits, as in the Python Marvin. A
// review reads; the user decides what to do about it.
package jobs

import "marvin/persistence"

// Service holds the dependencies of the tools.
type Service struct {
	home    *persistence.Home
	program string
}

// New returns a service. program is Marvin's own program file.
func New(home *persistence.Home, program string) Service {
	return Service{home: home, program: program}
}
