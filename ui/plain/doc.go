// Package plain talks in lines: for slow links, screen readers and pipes. It draws no
// spinner, and without a terminal that can move its cursor it writes no ESC byte at all.
//
// On such a terminal the line that is being typed can be edited, with the editor of
// ui/lineedit. golang.org/x/term's Terminal was decided against: it counts one cell for
// every rune, so that the cursor is wrong behind 日本 and é written as two; it has no
// undo, no search and no pastes of several lines; and it wants to own the terminal,
// where here questions, notices and answers come in between.
package plain
