// Package sums calculates.
//
// Numbers are fractions of integers, so 0.1+0.2 is 0.3 and a bill comes out to the cent; roots,
// logarithms and the like use floating point, and an inexact result is marked ≈. Nothing here runs
// code: an own parser reads the expression, with limits on its length and on the size of numbers.
//
// Decided against: an expression library (expr, gval, govaluate), because of floating point and
// several hundred KB for what are two files here; and a shell or Python.
package sums
