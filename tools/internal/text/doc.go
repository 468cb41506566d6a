// Package text tells text from other bytes, and says how its lines end.
//
// Marvin edits what it can show: UTF-8, with or without a byte order mark, and
// text in an unknown ASCII-based encoding as far as its ASCII parts go. It refuses
// everything else instead of guessing: a wrong guess rewrites every byte.
package text
