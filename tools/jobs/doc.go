// Package jobs is the tools for work in the background: begin a review of a project, say
// how reviews stand, and list, read, await and cancel jobs. What a job is, and what it
// does from its start to its account, is tools/background.
//
// Decided against: a branch, four reviewers and a fixer that commits, as the Python
// Marvin had them. A review reads; what follows from it is the person's to decide.
package jobs
