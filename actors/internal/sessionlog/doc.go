// Package sessionlog stores a conversation step by step and reads it back.
//
// It writes the messages of a round when the round is complete, before the next request, so a crash
// loses only the running round. A call with outside effects is recorded when it begins. If the log
// has no result for such a call, the call was running when Marvin ended, and its outcome is
// unknown. A compaction contains everything that the model knows from then on, so a reader needs
// nothing that precedes the last compaction.
//
// Requests are not stored as they are sent, because the log would then grow with the square of the
// conversation's length.
package sessionlog
