// Package page reads a text as a stream, and returns the requested lines up to a size limit.
//
// It stops after the last whole line that fits, and returns that line's number, so that reading can
// continue with the next line. A longer result would exceed the general limit for results, and its
// middle would be cut out. If a single line is too long, only its beginning is shown. The package
// never holds the whole text in memory.
package page
