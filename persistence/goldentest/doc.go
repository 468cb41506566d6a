// Package goldentest compares the output of a test with a file for review.
package goldentest
