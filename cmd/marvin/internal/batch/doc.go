// Package batch answers many prompts, one JSON object a line, in one process.
//
// Prompts are read as they are needed and answered so many at once; results are written
// as they come, so that a run that is killed loses at most the answers under way, and the
// next one asks only what has no answer yet. The program around it is the [Host]: batch
// begins no actors, and reads neither configuration nor environment.
package batch
