// Package patch computes the result of an edit.
//
// There are four forms of edits: replacing one text with another ([Replace]), the Codex patch
// format, unified hunks and numbered line commands ([Lines]). In all four, an edit must match
// exactly one place; otherwise the error lists the places. Bytes outside the edit are kept,
// including line endings, a byte order mark, the final newline and bytes in unknown encodings. A
// model need not know these details. For example, each "\n" from the model becomes the file's line
// ending.
//
// If the lines do not match exactly, differences in trailing white space, in indentation or between
// lookalike characters are tolerated. [Result] lists the tolerated differences. An edit that still
// does not match gets an explanation, not a guess.
//
// The package neither reads nor writes files.
package patch
