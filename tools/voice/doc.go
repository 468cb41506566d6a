// Package voice turns speech into text: it records with whatever recorder there is and
// lets Groq transcribe it.
//
// It serves the command /voice and is no tool of the model's.
package voice
