// Package changes shows the changes that a conversation made to files, as a patch or as a page for
// full-screen mode. On the page, the user can undo a part of the changes, or send a part and a
// remark to the model.
package changes
