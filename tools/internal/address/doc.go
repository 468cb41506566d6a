// Package address opens resources that have an address but are not files: earlier tool outputs,
// sub-agent reports, conversation turns, pages of Marvin's manual, skills, archive members and
// database tables.
//
// A reader gets a stream and never a path, so nothing is unpacked to disk. If an archive member is
// too large, the stream ends with an error.
package address
