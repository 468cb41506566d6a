// Package fleet sends the prompts of a batch to workers on other machines and returns the results,
// over NATS JetStream.
//
// The queue is a stream of prompts, which drops acknowledged prompts. Another stream holds at most
// one result per prompt. The subject of a message consists of the batch and a digest of the
// prompt's id, and both streams accept only one message per subject. So sending a message again
// adds neither a second prompt nor a second result. A key-value bucket holds the rest: the workers,
// the batches with their costs, the demands of the prompts, and the attempts at each prompt.
package fleet
