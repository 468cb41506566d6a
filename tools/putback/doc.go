// Package putback reverses a tool's change to one of a profile's documents. Only /undo and /redo
// call the tool in this package. No model sees it. The rules, questions and logs for calls apply to
// it, too.
package putback
