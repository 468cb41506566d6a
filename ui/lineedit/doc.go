// Package lineedit edits text of several lines, one grapheme cluster at a time.
//
// The buffer is a list of Unicode clusters, so no key can cut a character in two; a long paste is
// one element that shows as a chip and is sent in full. The package knows no keys and no screen: a
// front end calls the methods and draws [Editor.Rows].
package lineedit
