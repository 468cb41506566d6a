// Package gfm parses the Markdown that models write: CommonMark with tables, strikethrough, task
// lists and footnotes.
//
// The parser and the nodes are goldmark's. Marvin implements the four additions itself with
// goldmark's extension points, because goldmark's extension package includes the HTML renderer and
// costs 1 ms at start-up. Link reference definitions are shown as text, because a definition may
// come long after the link that uses it, and streamed text is not laid out again.
package gfm
