// Package jsonl writes lines of JSON for other programs, with one write for each call. Package
// [marvin/messages/jsonlines] reads them.
package jsonl
