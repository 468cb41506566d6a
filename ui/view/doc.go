// Package view turns the events of a conversation into displayable content: blocks, a status, open
// questions. It does not depend on a screen, so every front end can share it and tests can compare
// text.
//
// All external text passes through termsafe first. Blocks lay themselves out as lines of spans; a
// front end maps the roles of spans to its colors. A layout is kept until the width changes. When
// text grows, only its last line gets a new layout. When an answer grows, only its last block gets
// a new layout. A new word is therefore as cheap in a long text as in a short text. Blocks far from
// the screen drop their layout, so memory grows with the text and not with the rows.
//
// [List] is a list to choose from: conversations, models, themes, commands. It has a search, a row
// for each item, and a preview of the selected item. A front end with keys shows the list
// (ui/tui/picker.go). Commands request the list with Front.Pick of ui/command. If the front end has
// no lists, they print numbered lines.
//
// The spans of a link contain its address, even after wrapping, so that a terminal can open the
// link (OSC 8). The address is always shown, because a hidden address could deceive the user.
package view
