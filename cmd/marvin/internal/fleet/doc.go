// Package fleet distributes the prompts of a batch over NATS JetStream to workers on other
// machines, and collects the results.
//
// One stream holds each prompt until a worker acknowledges it, and a second stream holds the
// results. A message's subject contains the batch and a digest of the prompt's id. A stream holds
// at most one message per subject, so a message that is sent twice is stored once. A key-value
// bucket holds the workers, the batches, their costs, the attempts at each prompt, and the
// requirements that prompts have for workers.
package fleet
