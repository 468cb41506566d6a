// Package dialect turns tool calls that a model wrote as text into real calls.
//
// If a local server's template does not recognize a call, the server returns the call as text
// (crush#2073, goose#3748, ollama#13093). The grammar is strict, because an answer can also quote
// a call. Calls must end the answer, name offered tools and have complete arguments. They must not
// be inside a sentence, unfinished reasoning or a code fence. The only exception is JSON in a fence
// that forms the whole answer. Everything else remains text, byte for byte.
//
// Prose streams through immediately. Only a block that can still become a call is held back.
//
// The forms are those of Hermes and Qwen (<tool_call>{json}), Qwen3-Coder (<function=name>),
// Mistral ([TOOL_CALLS]), Llama (<|python_tag|> or bare JSON), and JSON in a fence. Text can come
// before a call, but not before bare JSON or JSON in a fence.
package dialect
