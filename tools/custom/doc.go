// Package custom makes tools of programs that the user wrote: a folder with tool.yaml, which
// describes the tool, and any executable, which gets the arguments as JSON on standard input
// and prints the result. The page custom-tools in docs says it for the user.
//
// What such a program does is held by the sandbox like a command of a model: the arguments
// are a model's, and a script may well be careless with them.
package custom
