// Package transcript writes a conversation to a file for people and programs: as Markdown,
// as JSON, or as a page that needs nothing besides itself.
//
// What models, tools and files wrote steers no terminal and no browser there: it is looked
// at with cat, and opened by who got it by mail. A page has no script, and forbids itself
// to load anything.
package transcript
