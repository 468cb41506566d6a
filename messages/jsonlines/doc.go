// Package jsonlines reads lines of JSON that other programs write. A line that is too long is
// reported as an error and does not affect the lines after it.
package jsonlines
