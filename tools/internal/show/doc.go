// Package show writes what services answered as lists for a model and a person.
//
// Text from outside goes through [Line] or [Text] before it is shown: it may be
// long, break out of its line, or hold characters that hide what follows.
package show
