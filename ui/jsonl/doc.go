// Package jsonl reads and writes lines of JSON from and for other programs.
//
// A line that is too long costs neither memory nor the lines behind it, and whatever
// is written is written whole, a line in one call.
package jsonl
