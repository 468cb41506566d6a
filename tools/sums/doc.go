// Package sums evaluates arithmetic expressions.
//
// Numbers are fractions of integers, so 0.1+0.2 is exactly 0.3. Roots, logarithms and similar
// functions use floating point; an inexact result is marked with ≈. The package never runs code: a
// parser of its own reads the expression, and limits its length and the size of numbers.
//
// Decided against an expression library (expr, gval, govaluate), because it uses floating point and
// adds several hundred KB, while this package has two files; and against a shell or Python.
package sums
