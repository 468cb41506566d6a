// Package scan reads the small JSON documents of a stream, one per word.
//
// encoding/json reads each byte twice and allocates for each field, which was a third of the CPU
// time of a streamed word. A [Scanner] reads the usual form of a protocol and leaves everything
// else to encoding/json, so the two never disagree: keys in other letter case, known fields of an
// unusual type, unknown nested values, and invalid JSON.
package scan
