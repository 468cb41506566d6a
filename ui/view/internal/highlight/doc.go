// Package highlight says which pieces of code are keywords, text, comments and numbers.
//
// The machine is chroma's core; the rules are our own few lines a language, made when
// code of that language is shown first: chroma's 300 lexers take 8 ms to register and
// are richer than what five colours can show. Every rule stays within a line, and what
// goes on over several lines is a state, so that code which streams in is read once.
package highlight
