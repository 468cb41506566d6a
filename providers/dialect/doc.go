// Package dialect turns tool calls that a model wrote as text into real calls.
//
// If a local server's template does not recognize a call, the server returns the call as text
// (crush#2073, goose#3748, ollama#13093). The grammar is strict, because text can also quote a
// call. A block is a call only if it ends the answer, names an offered tool and has complete
// arguments. A block never counts if it is inside a code fence, a sentence or unfinished reasoning.
// Everything else remains text, byte for byte.
//
// Prose streams through immediately. Only a block that can still become a call is held back.
//
// The forms are those of Hermes and Qwen (<tool_call>{json}), Qwen3-Coder (<function=name>),
// Mistral ([TOOL_CALLS]), Llama (<|python_tag|> or bare JSON), and JSON in a fence. Text may come
// before a call, unless the call is bare JSON or JSON in a fence.
package dialect
