// Package ollama speaks Ollama's native chat protocol.
//
// The copy of OpenAI's protocol that Ollama also has ignores the size of the
// context window, whose default of 4096 tokens drops most of a prompt with tools
// in silence. Here the window is always stated, the server is told to refuse what
// does not fit (truncate: false, v0.13 and later), and the prompt that it counted
// is compared with the one that was sent, for servers that cut all the same.
//
// The client is ollama's own api package, with a tap on its transport, because it
// reports a stream that broke, was cancelled or held a line of over 8 MB as a
// success, and drops the body and the headers of most errors.
package ollama
