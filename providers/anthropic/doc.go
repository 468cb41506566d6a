// Package anthropic asks models that speak Anthropic's Messages protocol.
//
// Anthropic signs the model's thinking. We return it unchanged, before the text and the calls it
// led to. The stable beginning of each request is marked for the provider's cache.
package anthropic
