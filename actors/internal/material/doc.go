// Package material gathers what the first request of a turn is made of: files of the project, instructions,
// skills, facts and tools. It has no actor; its functions read the disk.
package material
