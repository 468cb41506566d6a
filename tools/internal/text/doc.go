// Package text recognizes text, and detects line endings.
//
// Marvin edits UTF-8, with or without a byte order mark. In text with an unknown ASCII-based
// encoding, Marvin edits only the ASCII parts. Marvin refuses everything else instead of guessing,
// because a wrong guess rewrites every byte.
package text
