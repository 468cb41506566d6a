// Package sums evaluates arithmetic expressions.
//
// Numbers are rational, so 0.1+0.2 is exactly 0.3. Roots, logarithms and similar functions use
// floating point. An inexact result is marked with ≈. The package's own parser limits the length of
// an expression and the size of numbers.
//
// Expression libraries (expr, gval, govaluate) are not used, because they use floating point and
// add several hundred KB. Expressions are not passed to a shell or to Python, because both execute
// arbitrary code.
package sums
