// Package projects keeps what the user chose and accepted in each directory, and reads the instructions of
// a project.
package projects
