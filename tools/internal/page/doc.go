// Package page reads the requested lines of the input up to a size limit, without holding the whole
// input in memory.
//
// A page ends with the last whole line that fits, so that reading can continue with the next line.
// If a single line is too long, the page shows only the beginning of the line.
package page
