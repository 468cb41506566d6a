// Package anthropic speaks Anthropic's Messages protocol.
//
// Anthropic signs the model's reasoning. Later requests must repeat the reasoning unchanged, before
// the text and the calls of the same answer. Each request marks its unchanging prefix for the
// provider's cache.
package anthropic
