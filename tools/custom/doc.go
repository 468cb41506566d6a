// Package custom makes tools of the user's programs: a folder with tool.yaml, which describes the
// tool, and an executable, which gets the arguments as JSON on standard input and prints the
// result. The page custom-tools in docs describes this for users.
//
// The sandbox confines such a program like a command of a model: the arguments come from a model,
// and a script may be careless with them.
package custom
