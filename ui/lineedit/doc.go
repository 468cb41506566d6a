// Package lineedit edits multi-line text. Its unit is the grapheme cluster.
//
// The buffer is a list of these clusters, so no key can cut a character in two. A long paste is a
// single element, which is displayed as a chip and sent in full. The package reads no terminal and
// draws nothing. A front end calls the methods and draws [Editor.Rows].
package lineedit
