// Package page shows part of a text, read as a stream, within limits.
//
// It stops after a whole line before a limit and names the place to continue, because the general
// limit for results would cut out the middle. A single line that is too long keeps its beginning.
// It uses memory for one buffer and the page.
package page
