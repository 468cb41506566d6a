// Package tokens counts what a question costs a model, in tokens.
//
// A [Counter] is shared by all conversations of a process; [Counter.For] gives the
// [Meter] of one model. Texts are counted once and remembered by their hash, so that
// a question which grew by one message costs a hash of the rest: 0.2 ms for 200,000
// tokens. Nothing of the texts is kept.
//
// The encoding is o200k_base (internal/o200k). A short conversation is not even
// counted: no tokenizer makes more tokens than there are bytes, so [Meter.Count]
// answers with [Bound] as long as that settles the matter. For models of other
// makers o200k is an estimate; [Meter.Learn] corrects it by what the provider
// reports.
//
// Decided against: the tokenizer of each maker (most are not published), and a
// tokenizer library, whose vocabulary every start paid for (internal/o200k).
package tokens
