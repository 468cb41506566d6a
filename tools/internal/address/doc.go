// Package address opens what has an address but is no file of its own: what tools put out
// earlier, reports of sub-agents, turns of the conversation, pages of Marvin's manual, skills,
// members of archives and tables of databases.
//
// A reader gets a stream and never a path, so nothing is unpacked and nothing is written.
// What a stream gives is bounded: an archive that would unpack to more says so.
package address
