// Package tinymodel writes a language model for tests against a real Ollama, with no
// network: a GGUF file of the llama architecture whose answers are known.
//
// It is a chain: the embedding of each token is a unit vector, the layers add nothing to
// it, and the output turns it into the token that follows in the script. So what a prompt
// ends with decides the answer, whatever stands before, and the template of the model puts
// one of its control tokens there. The layers are computed all the same: reading a prompt
// takes its time, and what a server kept of one shows in that. Text outside of the script
// is read byte by byte, a token each.
package tinymodel
