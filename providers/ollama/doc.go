// Package ollama speaks Ollama's native chat protocol.
//
// Ollama's copy of OpenAI's protocol ignores the requested size of the context window, and the
// default of 4096 tokens silently drops most of a prompt with tools. With the native protocol,
// every request states the window and tells the server to refuse a prompt that is too long
// (truncate: false, v0.13 and later). Some servers cut the prompt anyway, so Marvin compares the
// number of prompt tokens that the server reports with an estimate.
//
// The client is Ollama's own api package, with the transport from the file tap.go. The api package
// reports success for a broken or canceled stream, and for a stream with a line of more than 8 MB.
// It also drops the body and the headers of most errors.
package ollama
