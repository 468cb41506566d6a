// Package anthropic asks models that speak Anthropic's Messages protocol.
//
// What a model thinks is signed by its maker and goes back to it as it came, in front of
// the words and calls that it led to. Everything that a request begins with is marked for
// the provider's cache.
package anthropic
