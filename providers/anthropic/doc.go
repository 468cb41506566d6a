// Package anthropic speaks Anthropic's Messages protocol.
//
// Anthropic signs the model's reasoning. Every later request sends the reasoning back unchanged,
// before the text and the calls of the same answer. The stable beginning of each request is marked
// for the provider's cache.
package anthropic
