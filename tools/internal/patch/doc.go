// Package patch computes what an edit makes of a text.
//
// There are four ways to say an edit: one text for another ([Replace]), the Codex
// patch format ([Parse]), unified hunks and numbered line commands ([Lines]). All
// share three rules. An edit has exactly one place, or it is an error that says
// which places there are. Bytes outside of the edit stay as they are: line endings,
// byte order mark, final newline, bytes in unknown encodings. What a model cannot
// see is not asked of it: it writes "\n" and gets what the file uses.
//
// Lines are compared exactly first, then without the white space at their end;
// never more loosely than that. A hunk that was nearly right is explained, not
// guessed.
//
// The package is pure: it reads and writes no files.
package patch
