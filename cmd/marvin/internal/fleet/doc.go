// Package fleet carries prompts of a batch to workers on other machines, and their results back,
// over NATS JetStream.
//
// The queue is a stream of prompts, which drops acknowledged prompts. Another stream holds at most
// one result per prompt. The subject of a message consists of the batch and a digest of the
// prompt's id, and both streams accept only one message per subject. So sending a message again
// adds neither a second prompt nor a second result. A key-value bucket holds the rest: the workers,
// the batches and their costs, what prompts demand of a worker, and the attempts of each prompt.
package fleet
