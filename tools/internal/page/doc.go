// Package page shows part of a text, read as a stream, within limits.
//
// It stops at a whole line before a limit is reached and says where to go on,
// because what the general cut of results would take out is the middle. A line
// that alone is too long keeps its beginning. Memory is one buffer plus the page.
package page
