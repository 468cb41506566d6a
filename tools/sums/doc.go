// Package sums evaluates arithmetic expressions.
//
// Numbers are fractions of integers, so 0.1+0.2 is exactly 0.3. Roots, logarithms and similar
// functions use floating point. An inexact result is marked with ≈. The package has its own parser,
// which limits the length of an expression and the size of numbers.
//
// Expression libraries (expr, gval, govaluate) are not used, because they use floating point and
// add several hundred KB. Expressions are not passed to a shell or Python, because both execute
// arbitrary code.
package sums
