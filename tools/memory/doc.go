// Package memory has the tools that remember, recall and forget facts, and look up what was said
// in kept conversations.
//
// Nothing is remembered or forgotten unseen. A fact is taken at once only if the user typed it in
// the prompt of the turn; otherwise the user is asked with the exact words, or the fact waits. With
// memory: auto other facts are taken too, but not in a conversation that holds words of strangers.
package memory
