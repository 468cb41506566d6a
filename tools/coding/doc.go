// Package coding explores a project: it finds files by name or content, and shows an overview.
//
// Listings and searches omit files that git ignores. They also omit directories without project
// content, such as node_modules. Symbolic links are shown, never followed.
//
// code_grep uses ripgrep if it is installed, and otherwise Go's regexp, because many users do not
// have ripgrep. Both engines use RE2 syntax, return the same blocks in the same order, and stop at
// the same number of matches. ripgrep is faster: a search of 157 MB (11,000 files) takes 2 to 4 s
// with ripgrep and 2 to 15 s with regexp (measured, November 2026).
package coding

import (
	"marvin/tools"
)

// Tools returns the tools of this category.
func Tools() []tools.Tool {
	return []tools.Tool{setDirTool(), getDirTool(), grepTool(), findTool(), treeTool()}
}
