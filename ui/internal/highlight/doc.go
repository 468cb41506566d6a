// Package highlight splits source code into keywords, strings, comments, numbers and other tokens.
//
// The package uses only the core of chroma. Its own rules, a few lines per language, are compiled
// on first use. Chroma's 300 lexers take 8 ms to register and distinguish more kinds of tokens than
// [Kind].
//
// A rule never matches across lines. A multi-line string or comment is a lexer state. Once a line
// ends outside such a state, all tokens so far are final, so streamed code is not lexed again from
// the start.
package highlight
