// Package sessionlog writes a conversation down, step by step, and reads what its model
// knew.
//
// What is written is what was said: the messages of a round when it is whole, before the
// model is asked again, so that a crash costs the round that was running and no other. A
// call that leaves traces outside is written down when it begins; one without a result was
// running when Marvin ended, and what became of it is unknown. A compaction carries all
// that the model knows from there on, so that reading ends at the last one.
//
// Decided against: writing the requests as they are sent (the size of the log would be the
// square of the conversation's).
package sessionlog
