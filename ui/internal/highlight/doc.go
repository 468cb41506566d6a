// Package highlight classifies code: keywords, text, comments and numbers.
//
// The engine is chroma's core; the rules are Marvin's own few lines per language, compiled on first
// use: chroma's 300 lexers take 8 ms to register and distinguish more than five colors can show.
// Every rule stays within a line, and longer constructs are states, so streaming code is read only
// once.
package highlight
