// Package question is the panel of the question that the conversation asks: its rows on the canvas and
// the keys that answer it.
package question
