// Package app connects the other packages: it turns the options, the settings and the environment
// into a running program.
package app
