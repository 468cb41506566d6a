// Package transcript exports a conversation to a file: as Markdown, as JSON, or as a self-contained
// page.
//
// Users may show the file with cat, or open it from an email. Therefore external text in the file
// cannot control a terminal or a browser. A page has no script, and its policy forbids it to load
// anything.
package transcript
