// Package putback provides the tool that reverses a change to one of a profile's documents. Only
// /undo and /redo call the tool, and no model sees it. These calls are subject to the same rules,
// questions and logs as other calls.
package putback
