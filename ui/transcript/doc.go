// Package transcript exports a conversation as Markdown, as JSON, or as a self-contained HTML page.
//
// Users may print the file with cat, or open it from an email. Therefore external text in the file
// cannot control a terminal or a browser. A page has no script, and its content security policy
// forbids it to load anything.
package transcript
