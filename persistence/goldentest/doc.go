// Package goldentest holds what a test made against a file that people read.
package goldentest
