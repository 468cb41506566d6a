// Package putback puts back what a tool changed in a document of a profile. No model sees
// its tool: only /undo and /redo call it, and as any other call it is judged, asked about and
// written down.
package putback
