// Package lineedit edits text of several lines by grapheme clusters.
//
// The buffer is a list of Unicode clusters, so no key can cut a character in two; a long paste is
// one element that is displayed as a chip and sent in full. The package knows no keys and no
// screen. A front end calls the methods and draws [Editor.Rows].
package lineedit
