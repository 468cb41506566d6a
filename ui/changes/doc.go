// Package changes shows the changes that a conversation made to files, as a patch or as a page for
// full-screen mode. On the page, the user can undo a part of a change, or send the part to the
// model with a remark.
package changes
