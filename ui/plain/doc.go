// Package plain shows a conversation in lines, for slow links, screen readers and pipes. It draws
// no spinner. It writes ESC bytes only to a terminal that can move its cursor.
//
// On such a terminal, the user edits the typed line with the editor of ui/lineedit. The Terminal
// type of golang.org/x/term has several disadvantages:
//   - It counts one cell for every rune, so its cursor is wrong after 日本 and after a decomposed é.
//   - It has no undo and no search.
//   - It does not accept pasted text of several lines.
//   - It requires that no other code writes to the terminal. In Marvin, questions, notices and
//     answers interrupt the input.
package plain
