// Package coding finds the way around a project: where it is, what is in it, and
// where something stands, by name or by content.
//
// What git ignores is left out of listings and searches, as are directories that say
// nothing about the project. Symbolic links are shown, never followed.
//
// code_grep has two engines, ripgrep where it is installed and Go's regexp where it
// is not. Both are RE2, give the same blocks in the same order, and stop at the same
// number of matches. They differ in two rare ways: ripgrep also leaves out files
// that are tracked and ignored at once, and what .ignore files name.
package coding

import "marvin/tools"

// Tools are the tools of this category.
func Tools() []tools.Tool {
	return []tools.Tool{setDirTool(), getDirTool(), grepTool(), findTool(), treeTool()}
}
