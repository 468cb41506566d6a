// Package ui is what every front end has in common: a client of a conversation.
//
// A front end sends ops and reads events and knows nothing else. Each has a folder:
// headless (one prompt for a program that reads stdout) and plain (lines, for slow
// links, screen readers and pipes). termsafe is the one place where text that
// Marvin did not write is made safe for a terminal.
package ui
