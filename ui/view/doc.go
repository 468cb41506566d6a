// Package view turns the events of a conversation into displayable content: blocks, a status, open
// questions. It knows no screen, so that every front end can share it and tests can compare text.
//
// All foreign text passes termsafe on its way in. Blocks lay themselves out as lines of spans,
// whose roles a front end maps to its colors. A layout is kept while the width is the same. Growing
// text is laid out again only from its last unfinished line, an answer from its last block: a long
// one costs no more per word than a short one. Blocks far from the screen drop their layout, so
// memory grows with the text and not with the rows.
//
// [List] is a list to choose from: conversations, models, themes, commands. It has a search, a row
// for each item, a preview of the selected one, and is drawn with Rows. A front end with keys shows
// it (ui/tui/picker.go); commands ask for it with Front.Pick of ui/command, and number their lines
// otherwise.
//
// A link has its address in its spans, for terminals that follow links (OSC 8), also where it is
// wrapped. Decided against: hiding the address, which could deceive.
package view
