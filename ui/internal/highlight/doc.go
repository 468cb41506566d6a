// Package highlight splits source code into keywords, strings, comments, numbers and other tokens.
//
// The package uses only the core of chroma. It has its own rules, a few lines per language, which
// are compiled on first use. Chroma's 300 lexers take 8 ms to register, and they distinguish more
// kinds of tokens than this package can show.
//
// A rule never matches text beyond the end of a line. A multi-line string or comment is a state of
// the lexer. Once a line ends outside such a state, the tokens up to there are final, so streamed
// code is not read again from its beginning.
package highlight
