// Package view turns the events of a conversation into blocks, a status and unanswered questions
// for display. It does not depend on a screen, so every front end can share it and tests can
// compare text.
//
// All external text passes through termsafe first. Each block is laid out as lines of spans, and a
// front end maps the roles of spans to its colors. A layout is kept until the width changes. When
// plain text grows, only its last line is laid out again. When an answer grows, only its last
// Markdown block is laid out again. Adding a word therefore costs the same in a long text as in a
// short one. Blocks far from the screen drop their layout, so a long conversation needs memory
// mainly for its text.
//
// [List] lets the user choose an item, such as a conversation, a model, a theme or a command. The
// user can search the list, and sees a row for each item and a preview of the selected item.
// Commands show a list with Front.Pick in ui/command. In the terminal, ui/tui/picker.go draws the
// list and handles the keys. If the front end has no lists, commands print numbered lines instead.
//
// The spans of a link contain its address, even after wrapping, so that a terminal can open the
// link (OSC 8). The address is always shown, because a hidden address could deceive the user.
package view
