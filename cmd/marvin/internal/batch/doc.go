// Package batch answers many prompts, in this process or on a fleet. Each line of the input is a
// JSON object.
//
// The package reads prompts as it needs them, answers a limited number at a time, and writes each
// result as soon as the answer is complete. If a run is killed, only unfinished answers are lost,
// and the next run sends only the prompts that have no answer yet. The calling program is the
// [Host]. The package itself starts no actors, and reads neither configuration nor environment.
package batch
