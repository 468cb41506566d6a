// Package anthropic speaks Anthropic's Messages protocol.
//
// Anthropic signs the model's reasoning. Later requests return it unchanged, before the text and
// the calls that followed it. The stable beginning of each request is marked for the provider's
// cache.
package anthropic
