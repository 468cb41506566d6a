// Package o200k counts the tokens that OpenAI's o200k_base encoding makes of a text.
//
// The vocabulary is one block of bytes in the binary, laid out so that nothing has
// to be built before the first count and nothing of it is in memory before then: see
// [table]. The library that the vocabulary and the tests come from,
// github.com/tiktoken-go/tokenizer, keeps it as 200,000 string constants instead.
// The linker sorts those by length among the program's own strings, so that every
// process that touched a string of its own mapped pages of vocabulary: 2.3 MiB of
// resident memory and 7 MB of binary, in runs that never counted a token. Its
// first count also took 10 ms and 16 MB for a map; this one takes neither.
//
//go:generate go run ./generate
package o200k
