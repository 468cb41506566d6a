// Package gfm parses the Markdown that models write: CommonMark with tables, strikethrough, task
// lists and footnotes.
//
// The parser and the nodes are goldmark's; the four additions use its extension points, because
// goldmark's own extension package adds the HTML renderer and 1 ms of start-up. Link reference
// definitions are not supported: a definition may follow long after its use, and text that was laid
// out while it streamed is not laid out again. They are shown as text.
package gfm
