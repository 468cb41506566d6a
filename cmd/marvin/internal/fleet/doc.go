// Package fleet carries prompts of a batch to workers on other machines, and their results
// back, over NATS JetStream.
//
// A stream of prompts is the queue, which forgets what is acknowledged; a stream of results
// holds at most one for each prompt. A prompt's subject has the batch and a digest of its
// id, and both streams take a second message of a subject only where there is none: so no
// prompt waits twice, and no second result is kept, however often something is sent anew. A
// bucket of keys and values has what belongs to neither: who works, what a prompt demands
// of its worker, how often a prompt was begun, what was spent.
package fleet
