// Package jobs provides the tools for code reviews and background jobs. Package background
// implements the jobs.
//
// A review changes no files. The user decides what to do about the findings.
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
