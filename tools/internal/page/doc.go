// Package page reads a text as a stream, and returns the requested lines within limits.
//
// It stops after the last whole line within a limit, and names the line at which reading can
// continue. Otherwise the general limit for results would cut out the middle. If a single line is
// too long, only its beginning is shown. It uses memory for one buffer and the page.
package page
