// Package projects stores the user's choices and consents per directory, and reads the instructions
// of a project.
package projects
