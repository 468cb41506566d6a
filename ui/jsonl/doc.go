// Package jsonl writes lines of JSON for other programs, each in one call. Package
// [marvin/messages/jsonlines] reads them.
package jsonl
