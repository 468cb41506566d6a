// Package history shortens the chat log and searches the removed text.
//
// No text is lost, because the log is copied before it is shortened. The search reads the backups
// of the log and the backups of conversations.
package history
