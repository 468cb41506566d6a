// Package screen computes the final text that a stream of output leaves on a terminal.
//
// Programs rewrite lines to show progress, and use control sequences for colors, titles and modes.
// A model pays for all these bytes, but cannot use them. The screen has unlimited width, so no line
// is wrapped.
package screen
