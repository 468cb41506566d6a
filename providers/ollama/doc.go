// Package ollama speaks Ollama's native chat protocol.
//
// Ollama's copy of OpenAI's protocol ignores the size of the context window. Its default of 4096
// tokens silently drops most of a prompt with tools. Here every request states the window. The
// server must refuse a request that is too long (truncate: false, v0.13 and later). Some servers
// cut the prompt anyway. So Marvin compares the prompt tokens that the server reports with the
// prompt that Marvin sent.
//
// The client is Ollama's own api package. Its transport is wrapped by tap, because the package has
// two faults: it reports success for a broken or canceled stream and for a line of over 8 MB, and
// it drops the body and the headers of most errors.
package ollama
