// Package highlight classifies code: keywords, text, comments and numbers.
//
// It uses only the core of chroma. Marvin has its own rules, a few lines per language, which are
// compiled on first use. The 300 lexers of chroma take 8 ms to register, and distinguish more kinds
// than the five colors here can show. A rule matches at most one line, and a longer construct is a
// state of the lexer. So code that arrives piece by piece is read only once.
package highlight
