// Package tickets keeps a project's tickets in .tickets/, one Markdown file each.
//
// The files are those of tk (github.com/wedow/ticket), which may be used beside Marvin at any time:
// a change touches one line or the end of a file, keeps every other byte, and is refused if the
// file changed meanwhile. tk is an awk and sed script that takes "---" and "status:" at the
// beginning of any line for front matter, so such lines in a model's text are indented by a space.
//
// Decided against: running tk for every operation (the files are the same, and its ls is a plugin
// that may be missing), and a YAML parser (tk has none: what only YAML understands would be lost on
// tk).
package tickets
