// Package material gathers the contents of a turn's first request: project files, instructions,
// skills, facts and tools. The package has no actor. Its functions read from disk.
package material
