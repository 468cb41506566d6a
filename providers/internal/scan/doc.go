// Package scan reads the small documents of which a stream has one for each word.
//
// encoding/json looks at each byte of them twice and allocates for each field, which was a
// third of the CPU of a streamed word. A [Scanner] reads what a protocol usually says, and
// leaves everything else to encoding/json, so that both never disagree: a key that may be a
// known one in other letters, a known field of an unusual type, values inside values that
// nobody asked for, and everything that is no JSON.
package scan
