// Package ollama implements Ollama's native chat protocol.
//
// Ollama's OpenAI-compatible API ignores the requested context window. With the default of 4096
// tokens, the server silently drops most of a prompt that includes tools. In the native protocol,
// each request sets the window and makes the server refuse a longer prompt (truncate: false, v0.13
// and later). Some servers still truncate the prompt, so Marvin compares the server's count of
// prompt tokens with an estimate.
//
// The client is Ollama's api package, with the transport from tap.go. The api package reports
// success for broken or canceled streams, and for streams with a line of more than 8 MB. It also
// drops the body and the headers of most errors.
package ollama
