// Package customtools reads the custom tools of the user and of a project. It also records which of
// the project's tools the user has accepted.
package customtools
