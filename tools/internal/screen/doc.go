// Package screen computes the final text that a stream of output leaves on a terminal.
//
// Programs draw progress by rewriting one or several lines; they color text, set titles and switch
// modes. A model pays for each of these bytes and cannot use them. The screen has unlimited width,
// so no line is wrapped.
package screen
