// Package transcript exports a conversation to a file: as Markdown, as JSON, or as a self-contained
// page.
//
// External text in the file cannot control a terminal or a browser, because users may show the file
// with cat, or open it from a mail. A page has no script, and its policy forbids it to load
// anything.
package transcript
