// Package code implements the commands for a project's code: language servers and checks on GitHub.
package code
