// Package lineedit edits text of several lines by grapheme clusters.
//
// The buffer is a list of Unicode clusters, so no key can cut a character in two. A long paste is a
// single element, which is displayed as a chip and sent in full. The package reads no terminal and
// draws nothing. A front end calls the methods and draws [Editor.Rows].
package lineedit
