// Package custom turns the user's own programs into tools. A folder contains tool.yaml, which
// describes the tool, and an executable. The executable gets the arguments as JSON on standard
// input and prints the result. The page custom-tools in docs describes this for users.
//
// The sandbox confines such a program like a command of the model, because its arguments come from
// a model and a script may handle them carelessly.
package custom
