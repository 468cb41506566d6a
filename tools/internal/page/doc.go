// Package page reads a text as a stream, and returns the requested lines up to a size limit.
//
// It stops after the last whole line that fits, and returns that line's number, so that reading can
// continue with the next line. Longer results would reach the general limit, which cuts out the
// middle. If a single line is too long, only its beginning is shown. The package uses memory for
// one buffer and the page.
package page
