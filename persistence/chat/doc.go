// Package chat keeps what was said in a profile: the chat log, its backups, the turns that run now,
// what was typed, and the draft.
package chat
