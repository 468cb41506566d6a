// Package changes shows the changes that a conversation made to files. It shows them as a patch,
// for plain mode and for git, or as a page. On the page, the user can move between the parts of the
// changes, undo a part, or send a part to the model with a remark.
package changes
