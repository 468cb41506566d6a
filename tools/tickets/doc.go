// Package tickets manages a project's tickets in .tickets/, one Markdown file each.
//
// The files have the format of tk (github.com/wedow/ticket), and the user may run tk while Marvin
// is open. Therefore, each edit changes one line or appends to a file, preserves every other byte,
// and fails if the file changed meanwhile. tk, a script in awk and sed, reads "---" and "status:"
// at the beginning of any line as front matter. So this package indents such lines by one space in
// text that a model writes.
//
// The package does not run tk for every operation, because tk's ls is a plugin that may be missing.
// It does not use a YAML parser, because tk has none. A file that needs a YAML parser would not
// work with tk.
package tickets
