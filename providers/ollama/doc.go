// Package ollama speaks Ollama's native chat protocol.
//
// Ollama's copy of OpenAI's protocol ignores the size of the context window. Its default of 4096
// tokens silently drops most of a prompt with tools. Here every request states the window and asks
// the server to refuse what does not fit (truncate: false, v0.13 and later). For servers that cut
// anyway, we compare the prompt tokens they report with the prompt we sent.
//
// The client is ollama's own api package, with a tap on its transport: the package reports a broken
// or cancelled stream, or a line of over 8 MB, as success, and drops the body and the headers of
// most errors.
package ollama
