// Package live is about conversations that run: their list, their log, the one that goes on
// without a terminal, and the questions that wait in them.
package live
