// Package sessionlog stores a conversation, step by step, and reads what its model knew.
//
// It writes the messages of a round when the round is complete, before the next request, so a crash
// costs only the running round. A call with outside effects is written when it begins; one without
// a result was running when Marvin ended, and its outcome is unknown. A compaction holds everything
// the model knows from then, so reading stops at the last one.
//
// Decided against: storing each request as sent (the log would grow with the square of the
// conversation).
package sessionlog
