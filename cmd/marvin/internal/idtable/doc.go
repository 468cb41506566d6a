// Package idtable keeps two numbers for each of many ids: in memory while they are few, and
// in a temporary file once they are many, so that a million ids fill no memory.
package idtable
