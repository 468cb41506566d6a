// Package dialect turns tool calls that a model wrote as text into calls.
//
// Local servers hand on as an answer what their templates do not recognise
// (crush#2073, goose#3748, ollama#13093). The grammar is strict, because text can
// also quote a call: a block counts only if it ends the answer, names a tool that
// was offered and has whole arguments, and never inside a code fence, a sentence
// or unfinished reasoning. Everything else stays text, byte for byte.
//
// Prose streams through at once. What is withheld is a block from its first
// character on, for as long as it can still be a call.
//
// The forms are those of Hermes and Qwen (<tool_call>{json}), Qwen3-Coder
// (<function=name>), Mistral ([TOOL_CALLS]), Llama (<|python_tag|> or bare JSON),
// and JSON in a fence. Prose may come before the first four.
package dialect
