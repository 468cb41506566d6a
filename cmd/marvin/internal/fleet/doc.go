// Package fleet carries prompts of a batch to workers on other machines, and their results back,
// over NATS JetStream.
//
// A stream of prompts is the queue, which drops acknowledged ones; a stream of results holds at
// most one per prompt. A prompt's subject consists of the batch and a digest of its id, and both
// streams accept only one message per subject: so no prompt waits twice, and no second result is
// stored, however often a message is sent again. A key-value bucket has the rest: the workers, a
// prompt's demands, its attempts, and the cost.
package fleet
