// Package words looks up English words and translates text.
//
// Definitions come from dictionaryapi.dev, and translations from MyMemory. Neither service needs a
// key. MyMemory accepts 500 bytes per request, so the package splits longer text between sentences.
// MyMemory returns some errors in the same form as translations, so the package checks each reply
// before it shows the text.
package words
