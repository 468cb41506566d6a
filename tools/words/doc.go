// Package words explains English words and translates texts.
//
// Both services want no key. MyMemory takes 500 bytes at a time, so longer texts are
// split between sentences; and it reports errors as if they were translations, so
// what it says is checked before it is shown.
package words
