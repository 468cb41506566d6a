// Package chat stores the conversation of a profile: the chat log, its backups, the running turns,
// the input history and the draft.
package chat
