// Package jsonlines reads the lines of JSON that other programs write. A long line costs neither
// memory nor the lines after it. Every line that is not blank comes out once, in order, wherever
// the reads are cut.
package jsonlines
