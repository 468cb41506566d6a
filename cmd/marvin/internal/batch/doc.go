// Package batch answers many prompts, one JSON object a line, in one process.
//
// It reads prompts as they are needed and answers a limited number at a time. It writes each result
// as soon as its prompt has ended. So a run that is killed loses only unfinished answers, and the
// next run sends only the prompts that have no answer yet. The program that calls the package is the
// [Host]: batch starts no actors, and reads neither configuration nor environment.
package batch
