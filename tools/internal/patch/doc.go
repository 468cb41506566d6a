// Package patch computes the result of an edit.
//
// There are four forms of edits: replacing one text with another ([Replace]), the Codex patch
// format, unified hunks and numbered line commands ([Lines]). All four share these rules. An edit
// must fit at exactly one place; otherwise the error lists the places. Bytes outside the edit are
// kept: line endings, byte order mark, final newline, bytes in unknown encodings. A model need not
// know invisible details. For example, each "\n" from the model becomes the file's line ending.
//
// Lines are compared exactly first, and then without regard to white space at line ends, to
// indentation, and to characters that look alike; [Result] lists the differences that were
// tolerated. An edit that still does not match gets an explanation, not a guess.
//
// The package neither reads nor writes files.
package patch
