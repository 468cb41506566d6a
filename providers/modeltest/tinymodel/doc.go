// Package tinymodel writes a GGUF file that contains a tiny llama model with known answers. Tests
// can run the model in Ollama without a network.
//
// Each token determines the next token: embeddings are unit vectors, the layers add nothing, and
// the output maps each embedding to the next token. The chat template must end each prompt with a
// control token, which selects the answer. Text outside the vocabulary becomes one token per byte.
//
// Reading a prompt takes time, because the server computes the layers. A test can measure this time
// to find out whether the server cached the prompt.
package tinymodel
