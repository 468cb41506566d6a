// Package sessionlog stores a conversation step by step and reads it back.
//
// The messages of a round are written before the next request, so a crash loses only the current
// round. A call whose effects cannot be undone is recorded when it begins. If the log has no result
// for such a call, Marvin ended during the call, and the outcome is unknown.
//
// A compaction contains everything that the model still knows. A reader therefore needs nothing
// that precedes the last compaction.
//
// The log omits whole requests. They would make the log grow with the square of the conversation's
// length.
package sessionlog
