// Package text distinguishes text from other bytes, and detects line endings.
//
// Marvin edits only text that it can show, which is UTF-8 with or without a byte order mark, and
// the ASCII parts of text in an unknown ASCII-based encoding. It refuses everything else instead of
// guessing, because a wrong guess rewrites every byte.
package text
