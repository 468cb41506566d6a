// Package history shortens the chat log, and searches the text that was removed from it.
//
// No text is lost: the log is copied before it is shortened. The search reads the backups of logs
// and the backups of conversations.
package history
