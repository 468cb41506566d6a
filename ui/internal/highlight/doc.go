// Package highlight classifies code: keywords, text, comments and numbers.
//
// It uses the core of chroma with Marvin's own rules, a few lines per language, which are compiled
// on first use. chroma's 300 lexers are not used. They take 8 ms to register, and they distinguish
// more kinds than the five colors here can show. A rule matches at most one line, and a longer
// construct is a state of the lexer. So code that arrives piece by piece is read only once.
package highlight
