// Package custom turns the user's own programs into tools. A folder contains tool.yaml, which
// describes the tool, and an executable. The executable gets the arguments as JSON on standard
// input and prints the result. docs/custom-tools.md describes this for users.
//
// Such a program runs in the same sandbox as the model's commands. The arguments come from a model,
// and a script may handle them carelessly.
package custom
