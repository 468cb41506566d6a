// Package address opens resources that have an address but are not files: earlier tool outputs,
// reports of sub-agents, turns of the conversation, pages of Marvin's manual, skills, members of
// archives and database tables.
//
// A reader gets a stream and never a path, so nothing is unpacked or written. Streams are limited:
// an archive that would unpack to more says so.
package address
