// Package edit contains the code shared by all tools that change files. These tools refuse a file
// that another program changed since the conversation last read or wrote it. They show users a
// diff.
package edit
