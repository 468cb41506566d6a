// Package putback reverses a tool's change to a document of a profile. No model can see its tool:
// only /undo and /redo call it. The rules, questions and logs for calls apply to it as to any other
// tool.
package putback
