// Package projects stores the user's choices and consents for each directory, and reads a project's
// instructions.
package projects
