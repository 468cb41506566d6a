// Package history shortens the chat log, and searches the text that was removed from it.
//
// No text is lost: the log is copied before it is shortened. The search reads both kinds of
// backups, those of logs and those of conversations.
package history
