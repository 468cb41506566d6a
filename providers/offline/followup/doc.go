// Package followup derives from the messages of a conversation what the next request may point to:
// the last call, the entries of the last list, and the things that were named. It knows no grammar:
// package offline reads the words, and this package finds their meaning.
package followup
