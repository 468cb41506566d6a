// Package address opens resources that have an address but are not files: earlier tool outputs,
// reports of sub-agents, turns of the conversation, pages of Marvin's manual, skills, members of
// archives and database tables.
//
// A reader gets a stream and never a path, so nothing is unpacked to the disk. The size of a stream
// is limited. If an archive unpacks to more, the reader gets an error.
package address
