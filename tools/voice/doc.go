// Package voice converts speech to text: it records with an installed recorder and uses Groq to
// transcribe the recording.
//
// The command /voice uses it. Models have no tool for it.
package voice
