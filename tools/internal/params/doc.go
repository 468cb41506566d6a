// Package params builds JSON schemas for tool arguments. It checks arguments against the schemas,
// corrects simple faults, and describes the remaining faults.
package params
