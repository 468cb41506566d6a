// Package tinymodel writes a language model with known answers, in a GGUF file of the llama
// architecture, for tests against a real Ollama without a network.
//
// The model is a chain: the embedding of each token is a unit vector, the layers add nothing, and
// the output maps this vector to the next token of the script. The answer depends only on the end
// of a prompt, and the model's template ends each prompt with a control token. The layers are still
// computed, so reading a prompt takes time. From this time, a test can tell whether the server
// cached the prompt. Text outside the script is read byte by byte, one token each.
package tinymodel
