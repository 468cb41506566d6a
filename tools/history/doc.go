// Package history shortens the chat log and finds again what was taken out of it.
//
// Nothing is ever lost by it: the log is copied before it is shortened, and both
// kinds of backups, of logs and of conversations, are what the search reads.
package history
