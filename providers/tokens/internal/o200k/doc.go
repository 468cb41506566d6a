// Package o200k counts the tokens of OpenAI's o200k_base encoding.
//
// The vocabulary is one block of bytes in the binary. It needs no preparation before the first
// count and occupies no memory until then: see [table]. The library that the vocabulary and the
// tests come from, github.com/tiktoken-go/tokenizer, stores 200,000 string constants instead. The
// linker sorts those by length among the program's own strings, so every process that used any
// string mapped pages of vocabulary: 2.3 MiB of resident memory and 7 MB of binary, even without a
// count. Its first count also took 10 ms and 16 MB for a map.
//
//go:generate go run ./generate
package o200k
