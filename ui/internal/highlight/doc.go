// Package highlight classifies code: keywords, text, comments and numbers.
//
// The engine is chroma's core; the rules are our own few lines per language, compiled on first use:
// chroma's 300 lexers take 8 ms to register and are richer than five colors can show. Every rule
// stays within a line, and longer constructs are states, so that streaming code is read once.
package highlight
