// Package patch computes the result of an edit.
//
// There are four forms of edits: one text for another ([Replace]), the Codex patch
// format, unified hunks and numbered line commands ([Lines]). All share three rules. An edit has
// exactly one place, or it is an error that lists the places. Bytes outside the edit stay as they
// are: line endings, byte order mark, final newline, bytes in unknown encodings. A model need not
// know invisible details: it writes "\n" and gets the file's line ending.
//
// Lines are compared exactly first, then without trailing white space, and never more loosely. A
// nearly correct hunk gets an explanation, not a guess.
//
// The package is pure: it reads and writes no files.
package patch
