// Package changes shows a conversation's changes to files: as a patch for plain mode and for git,
// and as a page. On the page the user moves from part to part, undoes a part, or sends it to the
// model with a remark.
package changes
