// Package code has the commands about a project's code: language servers and checks on GitHub.
package code
