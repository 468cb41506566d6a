// Package jsonlines reads lines of JSON that other programs write. A line that is too long takes no
// memory and does not affect the lines after it. Each line that is not blank is returned once, in
// order, however the reads divide the input.
package jsonlines
