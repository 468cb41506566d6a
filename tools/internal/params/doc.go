// Package params makes the JSON schema of a tool's arguments, checks arguments against it, corrects
// simple faults, and describes faults that it cannot correct.
package params
