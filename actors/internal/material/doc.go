// Package material gathers the contents of the first request of a turn: files of the project,
// instructions, skills, facts and tools. It has no actor; its functions read from disk.
package material
