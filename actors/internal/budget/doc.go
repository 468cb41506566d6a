// Package budget decides how much of a conversation a model is sent, and what
// becomes of the rest.
//
// Everything here is pure: [Limits.Decide] is the one decision for every mode, [Cap]
// bounds the number of messages, and a [Plan] turns a conversation that is too long
// into a short one. What takes time (counting, the backup, asking a model for the
// summary) is done by the caller, between [New] and [Plan.Assemble], and until then
// nothing has changed.
//
// A compaction keeps, word for word, the last messages, the last request, and the
// request of the turn under way; the files that were touched and the places of the
// backups are carried from summary to summary. A call is never parted from its
// results: a border is wherever the next message is not a result.
package budget
