// Package view turns the events of a conversation into what there is to show: blocks,
// a status, open questions. It knows no screen, so that every front end can share it
// and a test can compare text.
//
// Everything that models, tools and files wrote passes termsafe on its way in. Blocks
// lay themselves out as lines of spans whose roles a front end maps to its colours.
// A layout is kept as long as the width is the same, and text that grows is laid out
// only from its last unfinished line on, an answer from its last block on: a long one
// costs no more per word than a short one. Blocks far from the screen give their layout
// up, so that memory follows the text and not the rows.
//
// [List] is what a person chooses from: conversations, models, themes, commands. It has a
// search, a row for each item, a preview of the one under the cursor, and is drawn with
// Rows. A front end that has keys shows it (ui/tui/picker.go); commands ask for it with
// Front.Pick of ui/command, and number their lines where there is none.
//
// A link has its address in its spans, for terminals that follow links (OSC 8), also where
// it is broken into rows. Decided against: an address that is not shown. It would deceive.
package view
