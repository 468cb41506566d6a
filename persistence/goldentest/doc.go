// Package goldentest compares the output of a test with a stored file that people review.
package goldentest
