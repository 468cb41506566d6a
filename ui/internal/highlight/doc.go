// Package highlight splits source code into keywords, strings, comments, numbers and other tokens.
//
// It uses only the core of chroma. Marvin has its own rules, a few lines per language, which are
// compiled on first use. Chroma's 300 lexers take 8 ms to register, and they distinguish more kinds
// of tokens than this package can show. A rule matches at most one line, and a longer construct is
// a state of the lexer, so code that arrives piece by piece is read only once.
package highlight
