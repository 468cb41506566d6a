// Package transcript exports a conversation as Markdown, as JSON, or as a self-contained HTML page.
//
// A user can display the file with cat or open it from an email. So external text in the file must
// not control the terminal or the browser. An HTML page contains no scripts, and its content
// security policy prevents it from loading resources.
package transcript
