// Package changes shows what a conversation changed in files: as a patch for plain lines and
// for git, and as a page on which the user goes from part to part, takes one back, or sends
// one to the model with a remark.
package changes
