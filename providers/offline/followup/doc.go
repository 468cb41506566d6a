// Package followup derives from the messages of a conversation what the next request may point to:
// the last call, the entries of the last list, and the things that were named. It knows no grammar.
// Package offline reads the words, and this package finds what they refer to.
package followup
