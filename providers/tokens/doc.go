// Package tokens counts the tokens of a request.
//
// All conversations of a process share a [Counter]; [Counter.For] returns the [Meter] of one model.
// Texts are counted once and remembered by their hash, so a request that grew by one message costs
// only hashing the rest: 0.2 ms for 200,000 tokens. The texts themselves are not kept.
//
// The encoding is o200k_base (internal/o200k). A short conversation is not counted: no tokenizer
// makes more tokens than there are bytes, so [Meter.Count] returns [Bound] while that is enough.
// For models of other makers o200k is an estimate; [Meter.Learn] corrects it by the usage that the
// provider reports.
//
// Decided against: each maker's tokenizer (most are not published), and a tokenizer library, whose
// vocabulary costs every start (internal/o200k).
package tokens
