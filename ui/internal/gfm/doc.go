// Package gfm reads Markdown as models write it: CommonMark with tables, strikethrough,
// task lists and footnotes.
//
// The parser and the nodes are goldmark's; the four additions use its extension points, because
// its own extension package brings the HTML renderer and 1 ms of start-up with it. Link
// reference definitions are no syntax here: one may come long after its use, and what
// was laid out while it streamed is not laid out again. They show as they were written.
package gfm
