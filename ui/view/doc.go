// Package view turns the events of a conversation into what there is to show: blocks,
// a status, open questions. It knows no screen, so that every front end can share it
// and a test can compare text.
//
// Everything that models, tools and files wrote passes termsafe on its way in. Blocks
// lay themselves out as lines of spans whose roles a front end maps to its colours.
// A layout is kept as long as the width is the same, and text that grows is laid out
// only from its last unfinished line on: a long answer costs no more per word than a
// short one.
//
// The Markdown here is what can be told line by line: fences, headings, bold and code.
package view
