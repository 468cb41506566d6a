// Package editor starts the user's editor, pager and shell in the terminal.
package editor
