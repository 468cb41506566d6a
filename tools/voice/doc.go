// Package voice converts speech to text: it records with an installed recorder and uses Groq to
// transcribe the recording.
//
// The /voice command uses the package. There is no tool for models.
package voice
