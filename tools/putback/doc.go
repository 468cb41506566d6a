// Package putback reverses a tool's change to a document of a profile. Only /undo and /redo call
// the tool of this package; no model sees the tool. The rules, questions and logs for calls apply
// to this tool, too.
package putback
