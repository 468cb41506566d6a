// Package custom turns the user's own programs into tools. Each tool has a folder with an
// executable and a description, tool.yaml. The executable gets the arguments as JSON on standard
// input and prints the result. docs/custom-tools.md describes this for users.
//
// The executable runs in the same sandbox as the model's commands, because a script could handle
// the model's arguments carelessly.
package custom
