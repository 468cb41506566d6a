// Package page shows part of a text, read as a stream, within limits.
//
// It stops at a whole line before a limit and says where to continue, because the general limit for
// results would cut the middle. A single line that is too long keeps its beginning. Memory is one
// buffer plus the page.
package page
