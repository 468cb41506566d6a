// Package history shortens the chat log, and searches the text that was removed from it.
//
// No text is lost, because the log is copied before it is shortened. The search reads the backups
// of logs and conversations.
package history
