// Package jsonl reads and writes lines of JSON from and for other programs.
//
// A long line costs neither memory nor the lines after it, and each line is written in one call.
package jsonl
