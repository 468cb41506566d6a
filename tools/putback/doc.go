// Package putback provides the tool that reverses a change to a profile document. Only /undo and
// /redo call the tool, which no model sees. The usual rules, questions and logs apply.
package putback
