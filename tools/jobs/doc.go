// Package jobs provides the tools that start code reviews and show their progress and reports. It
// also provides the tools that list, show, await and cancel background jobs, or write to the input
// of a job. Package background implements the jobs.
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
