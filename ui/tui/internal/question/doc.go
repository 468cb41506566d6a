// Package question is the panel of a question: its rows on the canvas, and its keys.
package question
