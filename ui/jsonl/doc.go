// Package jsonl writes JSON lines for other programs. Package [marvin/messages/jsonlines] reads
// such lines.
package jsonl
