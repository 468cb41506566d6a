// Package fleet distributes the prompts of a batch to workers on other machines over NATS
// JetStream, and collects the results.
//
// The queue is a stream of prompts, which drops acknowledged prompts. Another stream holds at most
// one result per prompt. A message's subject contains the batch and a digest of the prompt's id,
// and a message is stored only if its stream has no other message with the same subject. So sending
// a message twice adds neither a second prompt nor a second result. A key-value bucket holds the
// workers, the batches and their costs, the demands of the prompts, and the attempts at each
// prompt.
package fleet
