// Package lineedit edits multi-line text.
//
// The buffer is a list of grapheme clusters, so no key can cut a character in two. A long paste is
// a single element, which is displayed as a chip and sent in full. The package does not access the
// terminal. A front end calls the methods of [Editor] and draws the rows that [Editor.Rows]
// returns.
package lineedit
