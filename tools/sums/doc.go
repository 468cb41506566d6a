// Package sums calculates.
//
// Numbers are fractions of whole numbers, so that 0.1+0.2 is 0.3 and a bill comes out to
// the cent; roots, logarithms and the like are calculated as floating point, and a result
// that is not exact is marked ≈. Nothing here runs code: an expression is read by a parser
// of its own, with limits on its length and on the size of its numbers.
//
// Decided against: an expression library (expr, gval, govaluate) — floating point, and
// several hundred KB for what is two files here — and asking a shell or Python.
package sums
