// Package transcript exports a conversation to a file: as Markdown, as JSON, or as a self-contained
// page.
//
// Foreign text in it controls no terminal and no browser: the file may be shown with cat, or opened
// from a mail. A page has no script, and forbids itself to load anything.
package transcript
