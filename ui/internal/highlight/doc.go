// Package highlight splits source code into keywords, strings, comments, numbers and other tokens.
//
// The package uses only the core of chroma. The rules of this package, a few lines per language,
// are compiled on first use. Chroma's 300 lexers would take 8 ms to register, and their tokens have
// more kinds than the package needs.
//
// A rule matches only within one line. A multi-line string or comment puts the lexer in a separate
// state. When a line ends in the root state, all tokens so far are final, so streamed code is not
// lexed again from the start.
package highlight
