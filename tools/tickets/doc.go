// Package tickets manages a project's tickets, which are Markdown files in .tickets/.
//
// The files have the format of tk (github.com/wedow/ticket), and the user can run tk while Marvin
// is open. Therefore, each edit changes one line or appends to a file, and fails if the file
// changed meanwhile. tk, a script in awk and sed, treats lines such as "---" and "status: open" as
// front matter, even in the body. In a model's text, this package puts a space before such lines.
//
// Only the tool named tk runs the program tk, because the program's ls is a plugin that can be
// missing. The package does not use a YAML parser, because tk could not read files that require a
// YAML parser.
package tickets
