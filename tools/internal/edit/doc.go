// Package edit contains the code shared by all tools that change files. These tools show users a
// diff, and most of them refuse a file that another program has changed since the conversation last
// read or wrote it.
package edit
