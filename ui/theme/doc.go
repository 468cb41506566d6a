// Package theme knows sets of colours: those that come with Marvin, and those that people
// write. A theme gives each role of a text a colour; how a terminal is told of it is the
// business of who draws. Nothing is read or computed before a theme is asked for.
package theme
