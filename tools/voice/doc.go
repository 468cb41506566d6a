// Package voice converts speech to text: it records with an installed recorder and uses Groq to
// transcribe the recording.
//
// The /voice command uses the package. Models have no tool for recording.
package voice
