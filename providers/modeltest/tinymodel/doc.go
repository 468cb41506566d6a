// Package tinymodel writes a language model with known answers, in a GGUF file of the llama
// architecture, for tests against a real Ollama without a network.
//
// The model is a chain: the embedding of each token is a unit vector, the layers add nothing, and
// the output maps this vector to the next token of the script. The answer depends only on the end
// of a prompt, and the model's template ends each prompt with a control token. The server still
// computes the layers, so it needs time to read a prompt. A test can measure this time to find out
// whether the server cached the prompt. Text outside the script becomes one token per byte.
package tinymodel
